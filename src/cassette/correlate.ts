import { otherSide, type Side } from '../channel/frame.ts';
import { tokenAt } from '../protocol/id.ts';
import { isNotification, isRequest, isResponse } from '../protocol/message.ts';
import { Conversations } from './conversations.ts';
import { type Move, movesOf } from './moves.ts';
import { Requests } from './requests.ts';
import type { TapeEvent } from './types.ts';

/** Which frames of a session speak of each other, by position. */
export interface Links {
  /** Request → its response. Absent: never answered. */
  answerOf: Map<number, number>;
  /** Response → its request. Absent: it answers nothing. */
  requestOf: Map<number, number>;
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
    answerOf: new Map(),
    requestOf: new Map(),
    cancelOf: new Map(),
    cancelledBy: new Map(),
    progressOf: new Map(),
    progressBy: new Map(),
  };
  const conversations = new Conversations();
  const asked: Record<Side, Asked> = { client: nothingAsked(), server: nothingAsked() };
  const homeOf = (index: number) => conversations.of(moves[index]!.frame);

  for (const move of moves) {
    const { index, from, json, message } = move;
    conversations.pass(move);
    if (json === undefined) continue;
    const home = conversations.of(move.frame);
    if (isRequest(message)) {
      const { open, all, tokens } = asked[from];
      const id = tokenAt(json, ID)!;
      open.add(id, home, index);
      all.set(id, index);
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
        all.get(id);
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
  /** By their ids: the latest of all. */
  all: Map<string, number>;
  /** By their progress tokens. */
  tokens: Requests;
}

function nothingAsked(): Asked {
  return { open: new Requests(), all: new Map(), tokens: new Requests() };
}

/** The same, by position among the events of a tape; a batch counts as one. */
export function correlate(events: readonly TapeEvent[]): Links {
  const moves = movesOf(events);
  const links = correlateMoves(moves);
  const eventOf = (index: number) => moves[index]!.event;
  const byEvent = (map: Map<number, number>) => new Map([...map].map(([a, b]) => [eventOf(a), eventOf(b)]));
  return {
    answerOf: byEvent(links.answerOf),
    requestOf: byEvent(links.requestOf),
    cancelOf: byEvent(links.cancelOf),
    cancelledBy: byEvent(links.cancelledBy),
    progressOf: byEvent(links.progressOf),
    progressBy: new Map([...links.progressBy].map(([a, all]) => [eventOf(a), all.map(eventOf)])),
  };
}
