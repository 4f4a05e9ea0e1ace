import type { MessageEntry, SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { type JsonPath, locate, locateId, type Span } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest, type Request } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { ReturnedValueRewriter } from './returned-values.ts';
import {
  issuedInNotification,
  issuedInRequest,
  issuedInResponse,
  referencedIn,
  type TokenKind,
  type TokenLocation,
  type TokenRule,
} from './token-locations.ts';

/** Live tokens, by kind and recorded token. Undefined: the live message lacks the token. */
type Tokens = Map<string, string | undefined>;

/** A recorded token and its live counterpart, if any. */
interface IssuedToken {
  kind: TokenKind;
  recorded: string;
  live: string | undefined;
}

/** The live tokens of the request that triggered a sequence. */
export interface TokenBindings {
  /** A list, because requests issue so few tokens that a map would be slower. */
  readonly issued: readonly IssuedToken[];
  /** Live HTTP exchange of the request. */
  readonly stream?: number;
}

/** Maximum length of messages that are scanned each time, which costs less than caching token positions. */
const SCANNED_LENGTH_MAX = 1_000;

export const NO_BINDINGS: TokenBindings = { issued: [] };

/**
 * Empty message in place of a response that will not arrive. It issues no tokens, so messages that repeat its tokens
 * are not sent.
 */
export const EMPTY_MESSAGE: JsonText = new JsonText('{}');

/**
 * Replaces recorded tokens of the peer by live ones, at known paths only. Equal values elsewhere are kept. Tokens
 * issued by the played side are sent as recorded.
 */
export class TokenRewriter {
  readonly #plan: Pick<ReplayPlan, 'entries' | 'links'>;
  readonly #tokenRules: readonly TokenRule[];
  readonly #session: Tokens = new Map();
  /** Token positions in long messages, by entry. Large list results are sent often. */
  readonly #repeated = new Map<number, TokensOfPlace[]>();

  /** Replaces ids that answers returned. They are no protocol tokens, and no token rule of the cassette names them. */
  readonly #returned: ReturnedValueRewriter | undefined;

  constructor(
    plan: Pick<ReplayPlan, 'entries' | 'links'>,
    tokenRules: readonly TokenRule[] = [],
    returned?: ReturnedValueRewriter,
  ) {
    this.#plan = plan;
    this.#tokenRules = tokenRules;
    this.#returned = returned;
  }

  /**
   * Returns the tokens of a live request for the sequence triggered by its recorded request. `stream` is its live
   * exchange.
   */
  bind(recorded: JsonText, live: JsonText, stream?: number): TokenBindings {
    const issued = issuedIn(issuedInRequest(recorded.value as Request), recorded, live);
    return stream === undefined ? { issued } : { issued, stream };
  }

  /** Learns the tokens that a live message issues for the rest of the session: cursors, task ids, request states. */
  learn(entry: SessionEntry, live: JsonText): void {
    const { index, json, message } = entry;
    if (json === undefined || message === undefined) return;
    this.#returned?.learn(entry, live);
    const request = this.#requestAnsweredBy(index);
    const locations = request ? issuedInResponse(message, request, this.#tokenRules) : issuedInNotification(message);
    for (const { kind, recorded, live: token } of issuedIn(locations, json, live))
      this.#session.set(keyOf(kind, recorded), token);
  }

  /**
   * Returns the text of an entry with live tokens, or `undefined` if the live peer never issued one of them: its
   * request had no progress token, or its list ended before this page.
   */
  apply(entry: MessageEntry, sequence: TokenBindings): string | undefined {
    const { index, json, message } = entry;
    const { text } = json;
    let repeated = this.#repeated.get(index);
    if (repeated === undefined) {
      const request = this.#requestAnsweredBy(index);
      repeated = repeatedIn(json, referencedIn(message, request, this.#tokenRules));
      if (text.length > SCANNED_LENGTH_MAX) this.#repeated.set(index, repeated);
    }
    let live = '';
    let from = 0;
    const kept: JsonPath[] = [];
    for (const [one, ...others] of repeated) {
      const { start, end } = one.span;
      const value = this.#liveOfPlace([one, ...others], sequence);
      if (value === undefined) return undefined;
      if (value !== AS_RECORDED) kept.push(one.path);
      live += text.slice(from, start) + (value === AS_RECORDED ? text.slice(start, end) : value);
      from = end;
    }
    live += text.slice(from);
    return this.#returned?.apply(entry, live, kept) ?? live;
  }

  /**
   * Returns the live token of a place. Several rules may name one place: the first one counts that has a live token, since
   * each knows only the tokens of its own answers.
   */
  #liveOfPlace(tokens: TokensOfPlace, sequence: TokenBindings): string | typeof AS_RECORDED | undefined {
    const lives = tokens.map((one) => this.#liveOf(one, sequence));
    return lives.find((one) => typeof one === 'string') ?? (lives.includes(undefined) ? undefined : AS_RECORDED);
  }

  #liveOf({ kind, token }: RepeatedToken, { issued }: TokenBindings): string | typeof AS_RECORDED | undefined {
    const own = issued.find((one) => one.kind === kind && one.recorded === token);
    if (own !== undefined) return own.live;
    if (this.#session.size === 0) return AS_RECORDED;
    const key = keyOf(kind, token);
    return this.#session.has(key) ? this.#session.get(key) : AS_RECORDED;
  }

  /** Returns the recorded request that the entry at `index` answers. */
  #requestAnsweredBy(index: number): Request | undefined {
    const { entries, links } = this.#plan;
    const message = entries[links.requestOf.get(index) ?? -1]?.message;
    return isRequest(message) ? message : undefined;
  }
}

/** A repeated token of a recorded message, with its position in the text. */
interface RepeatedToken {
  kind: TokenKind;
  path: JsonPath;
  token: string;
  span: Span;
}

/** The tokens of one place: one for each rule that names it. */
type TokensOfPlace = [RepeatedToken, ...RepeatedToken[]];

/** Marks a token without a live replacement. */
const AS_RECORDED = Symbol('as recorded');

function keyOf(kind: TokenKind, token: string): string {
  return `${kind} ${token}`;
}

/** Returns the tokens of a message by place, from left to right. */
function repeatedIn(json: JsonText, locations: readonly TokenLocation[]): TokensOfPlace[] {
  const repeated: TokensOfPlace[] = [];
  for (const { path, kind } of locations) {
    const token = scalarKeyAt(json, path);
    if (token === undefined) continue;
    const isId = path.length === 1 && path[0] === 'id';
    const span = isId ? locateId(json.text) : locate(json.text, path);
    if (span === undefined) continue;
    const same = repeated.find(([one]) => one.span.start === span.start);
    if (same === undefined) repeated.push([{ kind, path, token, span }]);
    else same.push({ kind, path, token, span });
  }
  return repeated.length > 1 ? repeated.sort(([a], [b]) => a.span.start - b.span.start) : repeated;
}

function issuedIn(locations: readonly TokenLocation[], recorded: JsonText, live: JsonText): IssuedToken[] {
  const issued: IssuedToken[] = [];
  for (const { path, kind } of locations) {
    const token = scalarKeyAt(recorded, path);
    if (token !== undefined && token !== 'null') issued.push({ kind, recorded: token, live: scalarKeyAt(live, path) });
  }
  return issued;
}
