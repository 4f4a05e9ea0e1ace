import type { Cassette, CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { type Frame, messageFrame } from '../../channel/frame.ts';
import { withId } from '../../faults/support/edit-message.ts';
import { isBatch } from '../../protocol/json-text.ts';
import { isRequest, paramsOf } from '../../protocol/message.ts';
import { isStream, subjectOf } from '../../protocol/method-table.ts';
import { listedTools } from './inputs/tools-listed-in-cassette.ts';

/** Line number of added events, which are in no file. */
const NO_LINE = 0;

/**
 * Repeats one of the recorded requests at the end of the session, so that an ordinary request follows the last message.
 * A list request is preferred, since it has no side effects.
 */
export function appendLastCall(cassette: Cassette): Cassette {
  const { events } = cassette;
  const entries = eventsToEntries(events);
  const { answerOf, cancelOf } = correlateEntries(entries);
  const calls = entries.filter((entry) => isOrdinary(entry) && answerOf.has(entry.index) && !cancelOf.has(entry.index));
  const call = calls.find(({ message }) => isRequest(message) && message.method.endsWith('/list')) ?? calls.at(-1);
  const answer = entries[answerOf.get(call?.index ?? -1) ?? -1];
  if (call === undefined || answer === undefined) return cassette;
  return withCall(cassette, call, answer);
}

/** Session that ends with a repetition of a recorded request. */
export interface RepeatedRequest {
  cassette: Cassette;
  /** Whether the protocol, or the annotations of the tool, allow a second request regardless of the second answer. */
  isHarmless: boolean;
}

/**
 * Repeats a recorded request at the end of a session, after {@link appendLastCall}. Damage from a misbehaviour at this
 * request may only show in the next request of the same kind. Returns the reason if a repetition is impossible.
 */
export function appendRepeat(cassette: Cassette, event: number): RepeatedRequest | { why: string } {
  const entries = eventsToEntries(cassette.events);
  const { answerOf, cancelOf } = correlateEntries(entries);
  const call = entries.find((entry) => entry.event === event);
  const answer = entries[answerOf.get(call?.index ?? -1) ?? -1];
  if (call === undefined || !isOrdinary(call) || !isRequest(call.message)) return { why: 'it opens the session' };
  if (answer === undefined || cancelOf.has(call.index)) return { why: 'the recorded client does not get its answer' };
  const between = entries.slice(call.index, answer.index);
  if (between.some(({ from, message }) => from === 'server' && isRequest(message)))
    return { why: 'the server asks the client something before it answers' };
  const { method } = call.message;
  const tool = listedTools(cassette).find(({ name }) => name === paramsOf(call.message).name);
  const isHarmless = method !== 'tools/call' || tool?.isDestructive === false;
  return { cassette: withCall(cassette, call, answer), isHarmless };
}

/** Reports whether a session later calls the same tool, prompt or resource as a recorded request. */
export function isCalledAgain({ events }: Cassette, event: number): boolean {
  const subjects = eventsToEntries(events).flatMap(({ event: at, from, message }) =>
    from === 'client' && isRequest(message) ? [{ at, subject: subjectOf(message.method, message.params) }] : [],
  );
  const subject = subjects.find(({ at }) => at === event)?.subject;
  return subjects.some((other) => other.at > event && other.subject === subject);
}

/** Adds a call with its answer at the end, before the session ends. */
function withCall(cassette: Cassette, call: SessionEntry, answer: SessionEntry): Cassette {
  const { events } = cassette;
  const count = events.filter(({ line, frame }) => isLastCall(line) && frame.from === 'client').length;
  const id = JSON.stringify(count === 0 ? 'mcp-record:last' : `mcp-record:last-${count + 1}`);
  const streams = events.flatMap(({ frame }) => frame.stream ?? []);
  const stream = streams.length > 0 ? Math.max(...streams) + 1 : undefined;
  const at = Math.max(...events.map(({ frame }) => frame.at));
  const added = [call, answer].map(({ frame }): CassetteEvent => {
    return { frame: again(frame, { id, at, stream }), line: NO_LINE };
  });
  const end = events.findIndex(({ frame }) => endsSession(frame));
  const before = end < 0 ? events.length : end;
  return { ...cassette, events: [...events.slice(0, before), ...added, ...events.slice(before)] };
}

/** Reports whether an event with this line number was added by {@link appendLastCall} or {@link appendRepeat}. */
export function isLastCall(line: number | undefined): boolean {
  return line === NO_LINE;
}

/** Returns a copy of the frame with another id and, over HTTP, a separate stream number. */
function again(frame: Frame, { id, at, stream }: { id: string; at: number; stream: number | undefined }): Frame {
  const copy = withId(frame, id);
  return copy.kind === 'message' ? messageFrame(copy.json, copy, at, stream) : copy;
}

function isOrdinary({ from, frame, message }: SessionEntry): boolean {
  if (from !== 'client' || frame.kind !== 'message' || isBatch(frame.json) || !isRequest(message)) return false;
  return message.method !== 'initialize' && !isStream(message.method);
}

/** The client, or the server's process, ends the session. */
function endsSession(frame: Frame): boolean {
  if (frame.kind === 'open') return frame.method === 'DELETE';
  return ['close', 'signal', 'exit'].includes(frame.kind) && frame.stream === undefined;
}
