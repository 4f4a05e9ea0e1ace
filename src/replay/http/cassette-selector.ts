import { canonicalJson } from '../../match/canonical-json.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { identityOf } from '../../match/request-identity.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest, type Params, paramsOf } from '../../protocol/message.ts';
import type { HttpCassette } from './http-cassette.ts';

interface Piece {
  cassette: HttpCassette;
  /** Identity keys of the cassette's client requests. */
  holds: ReadonlySet<string>;
  opening: Params | undefined;
  /** Number of sessions assigned to this cassette. */
  uses: number;
}

/** Assigns the cassettes of a server to its sessions. */
export class CassetteSelector {
  readonly #pieces: readonly Piece[];
  readonly #ignore: readonly Ignore[];

  constructor(cassettes: readonly HttpCassette[], ignore: readonly Ignore[] = []) {
    this.#ignore = ignore;
    this.#pieces = cassettes.map((cassette) => this.#piece(cassette));
  }

  get size(): number {
    return this.#pieces.length;
  }

  /**
   * Returns the best cassette for a session with the requests `heard`. Cassettes with the latest request come first,
   * then those with most of the requests. Ties go to the most similar `initialize`, then to the least used cassette,
   * then to the first.
   */
  choose(heard: readonly JsonText[]): HttpCassette {
    return this.#ranked(heard)[0]!.cassette;
  }

  /**
   * Returns the cassettes that contain all of `heard`, best first. A hand-written cassette may lack `initialize`, which is
   * then answered for it.
   */
  containingAll(heard: readonly JsonText[]): HttpCassette[] {
    const requests = heard.map((json) => ({ key: this.#keyOf(json), isOpening: openingOf(json.value) !== undefined }));
    const hasAll = ({ holds, opening }: Piece) =>
      requests.every(({ key, isOpening }) => holds.has(key) || (isOpening && opening === undefined));
    return this.#ranked(heard).flatMap((piece) => (hasAll(piece) ? [piece.cassette] : []));
  }

  /** Notes that a session uses `cassette`, possibly replacing an earlier choice. */
  assign(cassette: HttpCassette, insteadOf?: HttpCassette): void {
    for (const piece of this.#pieces) {
      if (piece.cassette === cassette) piece.uses++;
      if (piece.cassette === insteadOf) piece.uses--;
    }
  }

  #ranked(heard: readonly JsonText[]): Piece[] {
    const keys = heard.map((json) => this.#keyOf(json));
    const opening = heard.map(({ value }) => openingOf(value)).find((params) => params !== undefined);
    const ranked = this.#pieces.map((piece) => ({
      piece,
      rank: [
        Number(piece.holds.has(keys.at(-1)!)),
        keys.filter((key) => piece.holds.has(key)).length,
        likeness(piece.opening, opening),
        -piece.uses,
      ],
    }));
    return ranked.sort((a, b) => byRank(a.rank, b.rank)).map(({ piece }) => piece);
  }

  #piece(cassette: HttpCassette): Piece {
    const asked = cassette.plan.entries.filter(({ from, message }) => from === 'client' && isRequest(message));
    const holds = new Set(asked.map(({ json }) => this.#keyOf(json!)));
    const opening = asked.map(({ message }) => openingOf(message)).find((params) => params !== undefined);
    return { cassette, holds, opening, uses: 0 };
  }

  #keyOf(json: JsonText): string {
    return identityOf(json, this.#ignore).key;
  }
}

function openingOf(message: unknown): Params | undefined {
  return isRequest(message) && message.method === 'initialize' ? paramsOf(message) : undefined;
}

/** Returns the similarity of two `initialize` requests: 2 for equal params, 1 for the same revision, else 0. */
function likeness(recorded: Params | undefined, live: Params | undefined): number {
  if (recorded === undefined || live === undefined) return 0;
  if (canonicalJson(recorded) === canonicalJson(live)) return 2;
  return recorded.protocolVersion === live.protocolVersion ? 1 : 0;
}

/** Compares ranks for a descending sort. */
function byRank(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : b[at]! - a[at]!;
}
