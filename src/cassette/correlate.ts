import { otherSide, type Side } from '../channel/frame.ts';
import { tokenAt } from '../protocol/id.ts';
import { isNotification, isRequest, isResponse } from '../protocol/message.ts';
import { type Move, movesOf } from './moves.ts';
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
 * Links moves by id and direction: each side has its own id space, and an id may be used again once its request was
 * answered, so a response belongs to the latest open request with its id (JSON-RPC 2.0; MCP "Base protocol").
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
  const open = new Map<string, number>();
  const latest = new Map<string, number>();
  const tokens = new Map<string, number>();
  const key = (side: Side, token: string | undefined) => `${side} ${token}`;

  for (const { index, from, json, message } of moves) {
    if (json === undefined) continue;
    if (isRequest(message)) {
      const id = key(from, tokenAt(json, ['id']));
      open.set(id, index);
      latest.set(id, index);
      const token = tokenAt(json, ['params', '_meta', 'progressToken']);
      if (token !== undefined) tokens.set(key(from, token), index);
    } else if (isResponse(message)) {
      const id = key(otherSide(from), tokenAt(json, ['id']));
      const request = open.get(id);
      if (request === undefined) continue;
      open.delete(id);
      links.answerOf.set(request, index);
      links.requestOf.set(index, request);
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      const request = latest.get(key(from, tokenAt(json, ['params', 'requestId'])));
      if (request === undefined) continue;
      links.cancelledBy.set(index, request);
      if (!links.cancelOf.has(request)) links.cancelOf.set(request, index);
    } else if (isNotification(message) && message.method === 'notifications/progress') {
      const request = tokens.get(key(otherSide(from), tokenAt(json, ['params', 'progressToken'])));
      if (request === undefined) continue;
      links.progressOf.set(index, request);
      const reports = links.progressBy.get(request);
      if (reports) reports.push(index);
      else links.progressBy.set(request, [index]);
    }
  }
  return links;
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
