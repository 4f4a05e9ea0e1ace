import { otherSide, type Side } from '../../channel/frame.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import type { TapeEvent } from '../cassette.ts';
import { type Positions, PositionTable } from './index-map.ts';
import { Requests } from './request-index.ts';
import { Conversations } from './resumed-streams.ts';
import { type Move, movesOf } from './session-entries.ts';

/** Which frames of a session speak of each other, by position. */
export interface Links {
  /** Request → its response. Absent: never answered. */
  answerOf: Positions;
  /** Response → its request. Absent: it answers nothing. */
  requestOf: Positions;
  /** Request → the first `notifications/cancelled` of its own sender that names it. */
  cancelOf: Map<number, number>;
  /** The inverse, for every cancel: cancel → the request that it names. */
  cancelledBy: Map<number, number>;
  /** `notifications/progress` → the request whose token it carries. */
  progressOf: Map<number, number>;
  /** The inverse: request → its progress, in order. */
  progressBy: Map<number, number[]>;
}

/**
 * Links moves by conversation, id and direction: each side has its own id space, and so has each client over HTTP, where
 * several may use one id at once. An id may be used again once its request was answered, so a response belongs to the
 * latest open request with its id (JSON-RPC 2.0; MCP "Base protocol"): of its conversation, else of any. Clients answer in
 * exchanges of their own, and servers bring on a resumed stream what belongs to others, too.
 */
export function correlateMoves(moves: readonly Move[]): Links {
  const links: Links = {
    answerOf: new PositionTable(moves.length),
    requestOf: new PositionTable(moves.length),
    cancelOf: new Map(),
    cancelledBy: new Map(),
    progressOf: new Map(),
    progressBy: new Map(),
  };
  const conversations = new Conversations();
  const asked: Record<Side, Asked> = {
    client: nothingAsked(moves, 'client'),
    server: nothingAsked(moves, 'server'),
  };
  const homeOf = (index: number) => conversations.of(moves[index]!.frame);

  for (const move of moves) {
    const { index, from, json, message } = move;
    conversations.pass(move);
    if (json === undefined) continue;
    const home = conversations.of(move.frame);
    if (isRequest(message)) {
      const { open, tokens } = asked[from];
      open.add(tokenAt(json, ID)!, home, index);
      const token = tokenAt(json, MINTED_TOKEN);
      if (token !== undefined) tokens.add(token, home, index);
    } else if (isResponse(message)) {
      const { open } = asked[otherSide(from)];
      const id = tokenAt(json, ID) ?? NO_ID;
      const request = open.in(id, home) ?? open.latest(id);
      if (request === undefined) continue;
      open.remove(id, homeOf(request));
      links.answerOf.set(request, index);
      links.requestOf.set(index, request);
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      const { open, all } = asked[from];
      const id = tokenAt(json, CANCELLED) ?? NO_ID;
      const isNew = (request: number) => !links.cancelOf.has(request);
      const request =
        open.in(id, home) ??
        // Of two clients that use one id, the one that cancels has left its stream or will.
        open.latest(id, (one) => isNew(one) && conversations.isLeft(homeOf(one))) ??
        open.latest(id, isNew) ??
        open.latest(id) ??
        all.before(index, id);
      if (request === undefined) continue;
      links.cancelledBy.set(index, request);
      if (!links.cancelOf.has(request)) links.cancelOf.set(request, index);
    } else if (isNotification(message) && message.method === 'notifications/progress') {
      const { tokens } = asked[otherSide(from)];
      const token = tokenAt(json, TOKEN) ?? NO_ID;
      const request = tokens.in(token, home) ?? tokens.latest(token);
      if (request === undefined) continue;
      links.progressOf.set(index, request);
      const reports = links.progressBy.get(request);
      if (reports) reports.push(index);
      else links.progressBy.set(request, [index]);
    }
  }
  return links;
}

const ID = ['id'];
const MINTED_TOKEN = ['params', '_meta', 'progressToken'];
const TOKEN = ['params', 'progressToken'];
const CANCELLED = ['params', 'requestId'];

/** No token is empty. */
const NO_ID = '';

/** What one side asked, up to some point of the tape. */
interface Asked {
  /** By their ids: those that are not answered. */
  open: Requests;
  all: AllRequests;
  /** By their progress tokens. */
  tokens: Requests;
}

function nothingAsked(moves: readonly Move[], from: Side): Asked {
  return { open: new Requests(), all: new AllRequests(moves, from), tokens: new Requests() };
}

/** All requests of one side by their ids, answered or not. Nearly nobody cancels what was answered, so none is kept before one asks. */
class AllRequests {
  readonly #moves: readonly Move[];
  readonly #from: Side;
  readonly #latest = new Map<string, number>();
  #passed = 0;

  constructor(moves: readonly Move[], from: Side) {
    this.#moves = moves;
    this.#from = from;
  }

  /** The latest with this id before the move at `index`; which is asked for one after the other. */
  before(index: number, id: string): number | undefined {
    for (; this.#passed < index; this.#passed++) {
      const { from, json, message } = this.#moves[this.#passed]!;
      if (from === this.#from && isRequest(message)) this.#latest.set(tokenAt(json!, ID)!, this.#passed);
    }
    return this.#latest.get(id);
  }
}

/** The same, by position among the events of a tape; a batch counts as one. */
export function correlate(events: readonly TapeEvent[]): Links {
  const moves = movesOf(events);
  const links = correlateMoves(moves);
  const eventOf = (index: number) => moves[index]!.event;
  // In the order of what came later: of a batch, the last answer counts.
  const byEvent = (positions: Positions) =>
    new Map(
      [...positions]
        .sort((one, other) => Math.max(...one) - Math.max(...other))
        .map(([a, b]) => [eventOf(a), eventOf(b)]),
    );
  return {
    answerOf: byEvent(links.answerOf),
    requestOf: byEvent(links.requestOf),
    cancelOf: byEvent(links.cancelOf),
    cancelledBy: byEvent(links.cancelledBy),
    progressOf: byEvent(links.progressOf),
    progressBy: new Map([...links.progressBy].map(([a, all]) => [eventOf(a), all.map(eventOf)])),
  };
}
