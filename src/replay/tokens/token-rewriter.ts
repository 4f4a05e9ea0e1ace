import type { MessageEntry, SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { locate, locateId, type Span } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest, type Message, type Request } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import {
  issuedInRequest,
  issuedInResponse,
  type Place,
  referencedIn,
  type TokenKind,
  type TokenRule,
} from './opaque-tokens.ts';

/** Live tokens by kind and recorded token. Undefined: the live message had nothing there. */
type Tokens = Map<string, string | undefined>;

/** A token of the cassette, and what the live message has in its place, if anything. */
interface Minted {
  kind: TokenKind;
  recorded: string;
  live: string | undefined;
}

/** What a sequence owes to the live request that it serves. */
export interface TokenBindings {
  /** A request mints so few that a list is looked through sooner than a map. */
  readonly minted: readonly Minted[];
  /** HTTP: the live exchange that brought the request. */
  readonly stream?: number;
}

/** To look through a shorter text again costs less than to keep what was found in each. */
const SCANNED_LENGTH_MAX = 1_000;

export const NO_BINDINGS: TokenBindings = { minted: [] };

/** In place of an answer that does not come: it mints nothing, so that what would repeat it is not said either. */
export const NOTHING: JsonText = new JsonText('{}');

/**
 * Puts the peer's live values where the cassette has the recorded ones, as JSON tokens and at known places only: a value
 * that looks the same elsewhere stays. The side that minted a value decides it, so only what the live peer minted is
 * ever learned, and our own values go out as recorded.
 */
export class TokenRewriter {
  readonly #plan: Pick<ReplayPlan, 'entries' | 'links'>;
  readonly #handles: readonly TokenRule[];
  readonly #session: Tokens = new Map();
  /** Places in long messages, by their entries: lists are said again and again. */
  readonly #bound = new Map<number, Bound[]>();

  constructor(plan: Pick<ReplayPlan, 'entries' | 'links'>, handles: readonly TokenRule[] = []) {
    this.#plan = plan;
    this.#handles = handles;
  }

  /** What the live request `live`, which came in the exchange `stream`, brings for the sequence that the recorded one opens. */
  bind(recorded: JsonText, live: JsonText, stream?: number): TokenBindings {
    const minted = mintedIn(issuedInRequest(recorded.value as Request), recorded, live);
    return stream === undefined ? { minted } : { minted, stream };
  }

  /** Learns the handles that the live response mints for the rest of the session: cursors, tasks, request states. */
  learn({ index, json }: SessionEntry, live: JsonText): void {
    const request = this.#answeredBy(index);
    if (json === undefined || request === undefined) return;
    const places = issuedInResponse(json.value as Message, request, this.#handles);
    for (const { kind, recorded, live: token } of mintedIn(places, json, live))
      this.#session.set(keyOf(kind, recorded), token);
  }

  /**
   * The text of `move` in live values. Undefined: it cannot be said, because the live peer never minted what it would
   * repeat, e.g. its request came without a progress token, or its list ended before this page.
   */
  apply({ index, json, message }: MessageEntry, sequence: TokenBindings): string | undefined {
    const { text } = json;
    let bound = this.#bound.get(index);
    if (bound === undefined) {
      const request = this.#answeredBy(index);
      bound = boundIn(json, referencedIn(message, request, this.#handles));
      if (text.length > SCANNED_LENGTH_MAX) this.#bound.set(index, bound);
    }
    let live = '';
    let from = 0;
    for (const one of bound) {
      const { start, end } = one.span;
      const value = this.#liveOf(one, sequence);
      if (value === undefined) return undefined;
      live += text.slice(from, start) + (value === AS_RECORDED ? text.slice(start, end) : value);
      from = end;
    }
    return live + text.slice(from);
  }

  #liveOf({ kind, token }: Bound, { minted }: TokenBindings): string | typeof AS_RECORDED | undefined {
    const own = minted.find((one) => one.kind === kind && one.recorded === token);
    if (own !== undefined) return own.live;
    if (this.#session.size === 0) return AS_RECORDED;
    const key = keyOf(kind, token);
    return this.#session.has(key) ? this.#session.get(key) : AS_RECORDED;
  }

  /** The recorded request that the entry at `index` answers. */
  #answeredBy(index: number): Request | undefined {
    const { entries, links } = this.#plan;
    const message = entries[links.requestOf.get(index) ?? -1]?.message;
    return isRequest(message) ? message : undefined;
  }
}

/** A place found in a message of the cassette: what it is bound to, and where it lies in the text. */
interface Bound {
  kind: TokenKind;
  token: string;
  span: Span;
}

/** Nobody has minted another. */
const AS_RECORDED = Symbol('as recorded');

function keyOf(kind: TokenKind, token: string): string {
  return `${kind} ${token}`;
}

function boundIn(json: JsonText, places: readonly Place[]): Bound[] {
  const bound: Bound[] = [];
  for (const { path, kind } of places) {
    const token = tokenAt(json, path);
    if (token === undefined) continue;
    const isId = path.length === 1 && path[0] === 'id';
    const span = isId ? locateId(json.text) : locate(json.text, path);
    if (span !== undefined) bound.push({ kind, token, span });
  }
  return bound.length > 1 ? bound.sort((a, b) => a.span.start - b.span.start) : bound;
}

function mintedIn(places: readonly Place[], recorded: JsonText, live: JsonText): Minted[] {
  const minted: Minted[] = [];
  for (const { path, kind } of places) {
    const token = tokenAt(recorded, path);
    if (token !== undefined) minted.push({ kind, recorded: token, live: tokenAt(live, path) });
  }
  return minted;
}
