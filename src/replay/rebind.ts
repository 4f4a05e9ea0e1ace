import type { Move } from '../cassette/moves.ts';
import { tokenAt } from '../protocol/id.ts';
import { locate, type Span } from '../protocol/json-scan.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isRequest, type Message, type Request } from '../protocol/message.ts';
import { type Handle, mintedInRequest, mintedInResponse, type Place, usedIn } from './handle.ts';
import type { Score } from './score.ts';

/** Live tokens by kind and recorded token. Undefined: the live message had nothing there. */
type Tokens = Map<string, string | undefined>;

/** What a lane owes to the live request that it serves. */
export interface Bindings {
  readonly tokens: Readonly<Pick<Tokens, 'get' | 'has'>>;
  /** HTTP: the live exchange that brought the request. */
  readonly stream?: number;
}

export const NO_BINDINGS: Bindings = { tokens: new Map() };

/**
 * Puts the peer's live values where the tape has the recorded ones, as JSON tokens and at known places only: a value
 * that looks the same elsewhere stays. The side that minted a value decides it, so only what the live peer minted is
 * ever learned, and our own values go out as recorded.
 */
export class Rebinder {
  readonly #score: Pick<Score, 'moves' | 'links'>;
  readonly #handles: readonly Handle[];
  readonly #session: Tokens = new Map();
  readonly #bound = new Map<number, Bound[]>();

  constructor(score: Pick<Score, 'moves' | 'links'>, handles: readonly Handle[] = []) {
    this.#score = score;
    this.#handles = handles;
  }

  /** What the live request `live`, which came in the exchange `stream`, brings for the lane that the recorded one opens. */
  bind(recorded: JsonText, live: JsonText, stream?: number): Bindings {
    const tokens: Tokens = new Map();
    learn(tokens, mintedInRequest(recorded.value as Request), recorded, live);
    return { tokens, ...(stream !== undefined && { stream }) };
  }

  /** Learns the handles that the live response mints for the rest of the session: cursors, tasks, request states. */
  learn({ index, json }: Move, live: JsonText): void {
    const request = this.#answeredBy(index);
    if (json === undefined || request === undefined) return;
    learn(this.#session, mintedInResponse(json.value as Message, request, this.#handles), json, live);
  }

  /**
   * The text of `move` in live values. Undefined: it cannot be said, because the live peer never minted what it would
   * repeat, e.g. its request came without a progress token, or its list ended before this page.
   */
  apply({ index, json, message }: Move & { json: JsonText }, lane: Bindings): string | undefined {
    const { text } = json;
    let bound = this.#bound.get(index);
    if (bound === undefined) {
      const request = this.#answeredBy(index);
      bound = message === undefined ? [] : boundIn(json, usedIn(message, request, this.#handles));
      this.#bound.set(index, bound);
    }
    let live = '';
    let from = 0;
    for (const { key, span } of bound) {
      const values = lane.tokens.has(key) ? lane.tokens : this.#session;
      const value = values.get(key);
      if (value === undefined && values.has(key)) return undefined;
      live += text.slice(from, span.start) + (value ?? text.slice(span.start, span.end));
      from = span.end;
    }
    return live + text.slice(from);
  }

  /** The recorded request that the move at `index` answers. */
  #answeredBy(index: number): Request | undefined {
    const { moves, links } = this.#score;
    const message = moves[links.requestOf.get(index) ?? -1]?.message;
    return isRequest(message) ? message : undefined;
  }
}

/** A place found in a message of the tape: what it is bound to, and where it lies in the text. */
interface Bound {
  key: string;
  span: Span;
}

function boundIn(json: JsonText, places: readonly Place[]): Bound[] {
  return places
    .flatMap(({ path, kind }): Bound[] => {
      const token = tokenAt(json, path);
      const span = token === undefined ? undefined : locate(json.text, path);
      return span ? [{ key: `${kind} ${token}`, span }] : [];
    })
    .sort((a, b) => a.span.start - b.span.start);
}

function learn(into: Tokens, places: readonly Place[], recorded: JsonText, live: JsonText): void {
  for (const { path, kind } of places) {
    const token = tokenAt(recorded, path);
    if (token !== undefined) into.set(`${kind} ${token}`, tokenAt(live, path));
  }
}
