import type { TapeEvent } from '../cassette/types.ts';
import type { CloseFrame, Frame, MessageFrame, ReplyFrame, SseFields } from '../channel/frame.ts';
import { elementsOf } from '../protocol/json-text.ts';
import { isRequest, isResponse } from '../protocol/message.ts';
import { challengedStreams } from './challenges.ts';
import { isBareRefusal, placed } from './placed.ts';

/** In the place of the stream of what the server said, or closed, where its client only listened. */
export const LISTENING = 0;

/**
 * What a mock server plays of a tape of HTTP: messages, and what the server did beside to the streams of requests, which it
 * primed, filled with what is no message, closed before the answer, or refused; and that it closed a stream to listen on,
 * if its client went on after that. What it challenged never happened.
 */
export function httpFrames(events: readonly TapeEvent[]): TapeEvent[] {
  /** Stream → how many of its requests have no answer yet. */
  const open = new Map<number, number>();
  const all = placed(events);
  const challenged = challengedStreams(all);
  const listening = listeningStreams(all);
  const lastOfClient = all.findLastIndex(({ frame }) => isGoingOn(frame));
  return all.flatMap((event, index) => {
    const { frame } = event;
    const { stream } = frame;
    if (stream === undefined || challenged.has(stream)) return [];
    if (listening.has(stream) && isUnasked(frame))
      return frame.kind === 'message' || index < lastOfClient
        ? [{ ...event, frame: { ...frame, stream: LISTENING } }]
        : [];
    const unanswered = open.get(stream) ?? 0;
    const reply = unanswered > 0 ? replyOf(frame) : undefined;
    if (reply) return [{ ...event, frame: reply }];
    if (isBeside(frame)) return unanswered > 0 ? [event] : [];
    if (frame.kind !== 'message' || isBareRefusal(frame)) return [];
    const { kind, at, from, json, sse, status } = frame;
    for (const { value } of elementsOf(json)) {
      if (from === 'client' && isRequest(value)) open.set(stream, (open.get(stream) ?? 0) + 1);
      if (from === 'server' && isResponse(value)) open.set(stream, (open.get(stream) ?? 0) - 1);
    }
    const carried = { ...(sse && { sse }), ...(status && { status }) };
    return [{ ...event, frame: { kind, at, from, json, stream, ...carried } }];
  });
}

/** What a server says on the stream of a request, and is no message. */
function isBeside({ kind, from }: Frame): boolean {
  return kind === 'event' || (from === 'server' && (kind === 'close' || kind === 'noise'));
}

/** Those that a client opened only to listen (GET); not those of HTTP with SSE, on which answers come, too. */
function listeningStreams(events: readonly TapeEvent[]): ReadonlySet<number> {
  const listening = new Set<number>();
  const asked = new Set<number | undefined>();
  for (const { frame } of events) {
    const { stream } = frame;
    if (frame.kind === 'message' && frame.from === 'client') asked.add(stream);
    if (frame.kind === 'open' && frame.method === 'GET' && stream !== undefined && !asked.has(stream))
      listening.add(stream);
    if (frame.kind === 'event' && frame.sse.event === 'endpoint') listening.delete(stream!);
  }
  return listening;
}

/** What a server does on a stream to listen on, beside beginning it. */
function isUnasked(frame: Frame): frame is MessageFrame | CloseFrame {
  if (frame.from === 'client') return false;
  return frame.kind === 'close' || (frame.kind === 'message' && !isResponse(frame.json.value));
}

/** The client goes on with the session. */
function isGoingOn(frame: Frame): boolean {
  return (
    frame.from === 'client' && (frame.kind === 'message' || (frame.kind === 'open' && frame.method === 'GET'))
  );
}

/** The event with which the server primed a stream to listen on (GET), if it did. */
export function listeningPrimer(events: readonly TapeEvent[]): SseFields | undefined {
  const opened = new Set<number | undefined>();
  for (const { frame } of events) {
    if (frame.kind === 'open' && frame.method === 'GET' && frame.resumes === undefined)
      opened.add(frame.stream);
    if (frame.kind === 'event' && opened.has(frame.stream) && frame.sse.id !== undefined) {
      const { id, retry } = frame.sse;
      return { id, ...(retry !== undefined && { retry }) };
    }
  }
  return undefined;
}

/** An answer without a message for the request: a status, and perhaps a body; or the beginning of a stream of events. */
function replyOf(frame: Frame): ReplyFrame | undefined {
  if (frame.kind === 'reply') return frame;
  if (frame.kind !== 'message' || frame.from === 'client' || !isBareRefusal(frame)) return undefined;
  const { at, status = 200, stream, json } = frame;
  const headers = { 'content-type': 'application/json' };
  return { kind: 'reply', at, from: 'server', status, headers, body: json.text, ...(stream && { stream }) };
}
