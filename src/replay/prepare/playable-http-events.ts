import type { CassetteEvent } from '../../cassette/cassette.ts';
import { isBareRefusal } from '../../channel/error-response-without-id.ts';
import type { CloseFrame, Frame, Headers, MessageFrame, ResponseFrame, SseFields } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { type DeliveredFrame, deliveriesOf, type LastFrame } from '../http/recorded-delivery.ts';
import { mergeResumedStreams } from './merge-resumed-streams.ts';
import { numberMessagesWithoutStream } from './number-messages-without-stream.ts';
import { challengedStreams, refusedLegacyStreams } from './refused-http-streams.ts';
import { streamClosesToCancels } from './stream-close-to-cancel.ts';

/** Stream number for server messages to a listening client. */
export const LISTENING = 0;

/**
 * Returns the events of an HTTP cassette that a mock server plays: the messages, and the server's other frames on
 * request streams (priming events, invalid lines, early closes, refusals). A closed listening stream is included if the
 * client continued afterwards. Challenged requests, and legacy requests refused by a newer server, are left out.
 */
export function recordedStreams(events: readonly CassetteEvent[]): CassetteEvent[] {
  /** Unanswered request ids, by stream. */
  const open = new Map<number, Set<string | undefined>>();
  const all = streamClosesToCancels(mergeResumedStreams(numberMessagesWithoutStream(events, LISTENING)));
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

/** Reports whether a frame is a server frame without a message, on the stream of a request. */
function isBeside({ kind, from }: Frame): boolean {
  return kind === 'sse' || (from === 'server' && (kind === 'close' || kind === 'line'));
}

/**
 * Returns the streams opened by GET for listening only. Streams of HTTP with SSE are excluded, because answers arrive
 * on them.
 */
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

/** Reports whether a frame was sent by the server unasked, on a listening stream. */
function isUnasked(frame: Frame): frame is MessageFrame | CloseFrame {
  if (frame.from === 'client') return false;
  return frame.kind === 'close' || (frame.kind === 'message' && !isResponse(frame.json.value));
}

/** Reports whether a frame shows that the client continues the session. */
function isGoingOn(frame: Frame): boolean {
  return frame.from === 'client' && (frame.kind === 'message' || (frame.kind === 'open' && frame.method === 'GET'));
}

/** Returns the priming event of the listening stream (GET), if any. */
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

/**
 * Returns an HTTP response that carries no JSON-RPC response to the request: a status with an optional body, or the
 * start of an SSE stream.
 */
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

/** Returns the headers needed to read a body. Challenges are omitted: they would make the client fetch a token. */
function headersOfBody({ headers = {} }: MessageFrame): Headers | undefined {
  const shown = Object.entries(headers).filter(([name]) => name === 'content-type' || name === 'retry-after');
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}
