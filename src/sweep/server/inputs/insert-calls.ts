import type { Cassette, CassetteEvent } from '../../../cassette/cassette.ts';
import type { Frame } from '../../../channel/frame.ts';
import { JsonText } from '../../../protocol/json-text.ts';
import { isRequest, isResponse, resultOf } from '../../../protocol/message.ts';
import type { ReplayPlan } from '../../../replay/plan/server-plan.ts';
import { isLastCall } from '../append-last-call.ts';
import { insertedMessage } from '../misbehaviours/build-inserted-message.ts';
import type { PlayedSession } from '../play-session.ts';
import { type Arguments, argumentsText } from './serialize-arguments.ts';

/** Tool call that the recorded client never made. */
export interface InsertedCall {
  tool: string;
  args: Arguments;
}

/** Session with inserted calls. */
export interface SessionWithCalls {
  cassette: Cassette;
  /** Position of the first inserted event. */
  at: number;
}

const NO_LINE = 0;

/** Returns the id of an inserted call, as JSON text. */
export function insertedId(position: number): string {
  return `"mcp-record:input-${position}"`;
}

/**
 * Inserts calls into a session. Each call follows the answer to the previous call. The calls precede the first recorded
 * call after a list of tools, so that the recorded requests that follow show damage.
 */
export function insertCalls(cassette: Cassette, calls: readonly InsertedCall[]): SessionWithCalls {
  const { events } = cassette;
  const at = placeOf(events);
  const carrier = (events.find(({ frame }) => isRequestOf(frame, 'tools/call')) ?? events.find(isClientRequest))?.frame;
  const streams = events.flatMap(({ frame }) => frame.stream ?? []);
  const time = events[at]?.frame.at ?? Math.max(0, ...events.map(({ frame }) => frame.at));
  const added = calls.flatMap(({ tool, args }, position): CassetteEvent[] => {
    const id = insertedId(position);
    const text = argumentsText(args);
    const params = [`"name":${JSON.stringify(tool)}`, ...(text === undefined ? [] : [`"arguments":${text}`])];
    const stream = streams.length === 0 ? {} : { stream: Math.max(...streams) + 1 + position };
    const sent = { at: time, method: 'tools/call', id, params };
    const request: Frame = { ...insertedMessage(carrier ?? NO_FRAME, sent), ...stream };
    const json = new JsonText(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`);
    const answer: Frame = { kind: 'message', at: time, from: 'server', json, ...stream };
    return [request, answer].map((frame) => ({ frame, line: NO_LINE }));
  });
  return { cassette: { ...cassette, events: [...events.slice(0, at), ...added, ...events.slice(at)] }, at };
}

const NO_FRAME: Frame = { kind: 'close', at: 0, from: 'client' };

export interface InsertedPlace {
  /** Position of the first inserted event. */
  at: number;
  /** Number of calls. */
  count: number;
  /** Plan of a session without these calls. */
  plan: ReplayPlan;
}

/** Renumbers the entries of a session as if the inserted calls were absent, to compare the session with others. */
export function withoutCalls(session: PlayedSession, { at, count, plan }: InsertedPlace): PlayedSession {
  const first = session.run.plan.entries.find(({ event }) => event === at)?.index ?? 0;
  const end = first + 2 * count;
  const positionsOf = (index: number) => (index < first ? [index] : index < end ? [] : [index - 2 * count]);
  return {
    ...session,
    answers: new Map(
      [...session.answers].flatMap(([index, answer]) => positionsOf(index).map((one) => [one, answer] as const)),
    ),
    unanswered: new Set([...session.unanswered].flatMap(positionsOf)),
    run: { ...session.run, plan },
    hasFired: true,
  };
}

function placeOf(events: readonly CassetteEvent[]): number {
  const listed = events.findIndex(({ frame }) => {
    const value = frame.kind === 'message' && frame.from === 'server' ? frame.json.value : undefined;
    return isResponse(value) && Array.isArray(resultOf(value).tools);
  });
  const call = events.findIndex(({ frame }, index) => index > listed && isRequestOf(frame, 'tools/call'));
  if (call >= 0) return call;
  const last = events.findIndex(({ line, frame }) => isLastCall(line) && frame.from === 'client');
  return last >= 0 ? last : events.length;
}

function isClientRequest({ frame }: CassetteEvent): boolean {
  return frame.kind === 'message' && frame.from === 'client' && isRequest(frame.json.value);
}

function isRequestOf(frame: Frame, method: string): boolean {
  if (frame.kind !== 'message' || frame.from !== 'client') return false;
  return isRequest(frame.json.value) && frame.json.value.method === method;
}
