import { canonicalJson } from '../../match/canonical-json.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { identityOf } from '../../match/request-identity.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest, type Params, paramsOf } from '../../protocol/message.ts';
import type { HttpCassette } from './http-cassette.ts';

interface Piece {
  cassette: HttpCassette;
  /** Identities of the requests of its client. */
  holds: ReadonlySet<string>;
  opening: Params | undefined;
  /** Sessions that were given it. */
  uses: number;
}

/** The cassettes of a server with sessions, of which each session is given one. */
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
   * The cassette for a session whose client asked all of `heard`: the one that has most of it, the last above all, then
   * the one that opens most like it, then the one that was given least often, then the first.
   */
  choose(heard: readonly JsonText[]): HttpCassette {
    return this.#ranked(heard)[0]!.cassette;
  }

  /** The cassettes that have all of `heard`, in the order in which they would be chosen. */
  having(heard: readonly JsonText[]): HttpCassette[] {
    const keys = heard.map((json) => this.#keyOf(json));
    const hasAll = ({ holds }: Piece) => keys.every((key) => holds.has(key));
    return this.#ranked(heard).flatMap((piece) => (hasAll(piece) ? [piece.cassette] : []));
  }

  /** A session was given `cassette`, which may be in the place of the one that it seemed to be. */
  give(cassette: HttpCassette, insteadOf?: HttpCassette): void {
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

/** 2: by the same client, which can do the same; 1: of the same revision. */
function likeness(recorded: Params | undefined, live: Params | undefined): number {
  if (recorded === undefined || live === undefined) return 0;
  if (canonicalJson(recorded) === canonicalJson(live)) return 2;
  return recorded.protocolVersion === live.protocolVersion ? 1 : 0;
}

/** The higher first. */
function byRank(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : b[at]! - a[at]!;
}
