import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { CloseFrame, Frame, Headers, MessageFrame, ResponseFrame, SseFields } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { challengedStreams, refusedLegacyStreams } from '../prepare/auth-challenges.ts';
import { isBareRefusal, mergeResumedStreams } from '../prepare/merge-resumed-streams.ts';
import { withCancels } from '../prepare/stream-cancels.ts';
import { type DeliveredFrame, deliveriesOf, type LastFrame } from './recorded-delivery.ts';

/** Stream number for server messages to a listening client. */
export const LISTENING = 0;

/**
 * What a mock server plays of a cassette of HTTP: messages, and what the server did beside to the streams of requests, which it
 * primed, filled with what is no message, closed before the answer, or refused; and that it closed a stream to listen on,
 * if its client went on after that. What it challenged, or refused to a client of before its
 * revision, never happened.
 */
export function recordedStreams(events: readonly CassetteEvent[]): CassetteEvent[] {
  /** Stream → the ids of its requests that have no answer yet. */
  const open = new Map<number, Set<string | undefined>>();
  const all = withCancels(mergeResumedStreams(events));
  const never = new Set([...challengedStreams(all), ...refusedLegacyStreams(all)]);
  const listening = listeningStreams(all);
  const deliveries = deliveriesOf(all);
  const lastOfClient = all.findLastIndex(({ frame }) => isGoingOn(frame));
  return all.flatMap((event, index) => {
    const { frame } = event;
    const { stream } = frame;
    if (stream === undefined || never.has(stream)) return [];
    if (listening.has(stream) && isUnasked(frame))
      return frame.kind === 'message' || index < lastOfClient
        ? [{ ...event, frame: { ...frame, stream: LISTENING } }]
        : [];
    const asked = open.get(stream) ?? new Set();
    const isUnanswered = asked.size > 0;
    const reply = isUnanswered ? replyOf(frame, deliveries.bare.has(event)) : undefined;
    if (reply) return [{ ...event, frame: reply }];
    if (isBeside(frame)) return isUnanswered ? [event] : [];
    if (frame.kind !== 'message' || isBareRefusal(frame)) return [];
    const { kind, at, from, json, sse, status } = frame;
    const delivery = deliveries.of.get(event);
    for (const one of elementsOf(json)) {
      const id = scalarKeyAt(one, ['id']);
      if (from === 'client' && isRequest(one.value)) open.set(stream, asked.add(id));
      if (from === 'server' && isResponse(one.value)) asked.delete(id);
    }
    const headers = delivery?.bodyFor === undefined ? undefined : headersOfBody(frame);
    const carried = { ...(sse && { sse }), ...(status && { status }), ...(headers && { headers }) };
    const said: DeliveredFrame = { kind, at, from, json, stream, ...carried, ...(delivery && { delivery }) };
    const last: LastFrame = { kind: 'close', at, from, stream, isLast: true };
    return [{ ...event, frame: said }, ...(deliveries.last.has(event) ? [{ ...event, frame: last }] : [])];
  });
}

/** Whether a frame is a server's on a request's stream and no message. */
function isBeside({ kind, from }: Frame): boolean {
  return kind === 'sse' || (from === 'server' && (kind === 'close' || kind === 'line'));
}

/** Those that a client opened only to listen (GET); not those of HTTP with SSE, on which answers come, too. */
function listeningStreams(events: readonly CassetteEvent[]): ReadonlySet<number> {
  const listening = new Set<number>();
  const asked = new Set<number | undefined>();
  for (const { frame } of events) {
    const { stream } = frame;
    if (frame.kind === 'message' && frame.from === 'client') asked.add(stream);
    if (frame.kind === 'open' && frame.method === 'GET' && stream !== undefined && !asked.has(stream))
      listening.add(stream);
    if (frame.kind === 'sse' && frame.sse.event === 'endpoint') listening.delete(stream!);
  }
  return listening;
}

/** Whether a frame is a server's own on a listening stream, after its start. */
function isUnasked(frame: Frame): frame is MessageFrame | CloseFrame {
  if (frame.from === 'client') return false;
  return frame.kind === 'close' || (frame.kind === 'message' && !isResponse(frame.json.value));
}

/** The client goes on with the session. */
function isGoingOn(frame: Frame): boolean {
  return frame.from === 'client' && (frame.kind === 'message' || (frame.kind === 'open' && frame.method === 'GET'));
}

/** The event with which the server primed a stream to listen on (GET), if it did. */
export function listeningPrimer(events: readonly CassetteEvent[]): SseFields | undefined {
  const opened = new Set<number | undefined>();
  for (const { frame } of events) {
    if (frame.kind === 'open' && frame.method === 'GET' && frame.resumes === undefined) opened.add(frame.stream);
    if (frame.kind === 'sse' && opened.has(frame.stream) && frame.sse.id !== undefined) {
      const { id, retry } = frame.sse;
      return { id, ...(retry !== undefined && { retry }) };
    }
  }
  return undefined;
}

/** An answer without a message for the request: a status, and perhaps a body; or the beginning of a stream of events. */
function replyOf(frame: Frame, isBare: boolean): ResponseFrame | undefined {
  if (frame.kind === 'http-response') return frame;
  if (frame.kind !== 'message' || frame.from === 'client' || !(isBare || isBareRefusal(frame))) return undefined;
  const { at, status = 200, stream, json } = frame;
  const headers = { 'content-type': 'application/json', ...headersOfBody(frame) };
  return {
    kind: 'http-response',
    at,
    from: 'server',
    status,
    headers,
    body: json.text,
    ...(stream && { stream }),
  };
}

/** What a client reads a body by. Challenges are not repeated: who is asked for a token would go and fetch one. */
function headersOfBody({ headers = {} }: MessageFrame): Headers | undefined {
  const shown = Object.entries(headers).filter(([name]) => name === 'content-type' || name === 'retry-after');
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}
