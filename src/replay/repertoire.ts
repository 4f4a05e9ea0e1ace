import { canonical } from '../match/canonical.ts';
import { identityOf } from '../match/identity.ts';
import type { Ignore } from '../match/ignore.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isRequest, type Params } from '../protocol/message.ts';
import type { HttpTape } from './http-tape.ts';

interface Piece {
  tape: HttpTape;
  /** Identities of the requests of its client. */
  holds: ReadonlySet<string>;
  opening: Params | undefined;
  /** Sessions that were given it. */
  uses: number;
}

/** The tapes of a server with sessions, of which each session is given one. */
export class Repertoire {
  readonly #pieces: readonly Piece[];
  readonly #ignore: readonly Ignore[];

  constructor(tapes: readonly HttpTape[], ignore: readonly Ignore[] = []) {
    this.#ignore = ignore;
    this.#pieces = tapes.map((tape) => this.#piece(tape));
  }

  /**
   * The tape for a session whose client asked all of `heard`: the one that has most of it, the last above all, then
   * the one that opens most like it, then the one that was given least often, then the first.
   */
  choose(heard: readonly JsonText[]): HttpTape {
    const keys = heard.map((json) => this.#keyOf(json));
    const opening = heard.map(({ value }) => openingOf(value)).find((params) => params !== undefined);
    const ranks = this.#pieces.map((piece) => [
      Number(piece.holds.has(keys.at(-1)!)),
      keys.filter((key) => piece.holds.has(key)).length,
      likeness(piece.opening, opening),
      -piece.uses,
    ]);
    const best = ranks.reduce((a, b) => (isHigher(b, a) ? b : a));
    return this.#pieces[ranks.indexOf(best)]!.tape;
  }

  /** A session was given `tape` for good. */
  give(tape: HttpTape): void {
    for (const piece of this.#pieces) if (piece.tape === tape) piece.uses++;
  }

  #piece(tape: HttpTape): Piece {
    const asked = tape.score.moves.filter(({ from, message }) => from === 'client' && isRequest(message));
    const holds = new Set(asked.map(({ json }) => this.#keyOf(json!)));
    const opening = asked.map(({ message }) => openingOf(message)).find((params) => params !== undefined);
    return { tape, holds, opening, uses: 0 };
  }

  #keyOf(json: JsonText): string {
    return identityOf(json, this.#ignore).key;
  }
}

function openingOf(message: unknown): Params | undefined {
  return isRequest(message) && message.method === 'initialize' ? (message.params ?? {}) : undefined;
}

/** 2: by the same client, which can do the same; 1: of the same revision. */
function likeness(taped: Params | undefined, live: Params | undefined): number {
  if (taped === undefined || live === undefined) return 0;
  if (canonical(taped) === canonical(live)) return 2;
  return taped.protocolVersion === live.protocolVersion ? 1 : 0;
}

function isHigher(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && a[at]! > b[at]!;
}
