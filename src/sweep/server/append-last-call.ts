import type { Cassette, CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { type Frame, messageFrame } from '../../channel/frame.ts';
import { withId } from '../../faults/support/edit-message.ts';
import { isBatch } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { isStream } from '../../protocol/method-table.ts';

const ID = '"mcp-record:last"';
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
  const streams = events.flatMap(({ frame }) => frame.stream ?? []);
  const stream = streams.length > 0 ? Math.max(...streams) + 1 : undefined;
  const at = Math.max(...events.map(({ frame }) => frame.at));
  const added = [call, answer].map(({ frame }): CassetteEvent => ({ frame: again(frame, at, stream), line: NO_LINE }));
  const end = events.findIndex(({ frame }) => endsSession(frame));
  const before = end < 0 ? events.length : end;
  return { ...cassette, events: [...events.slice(0, before), ...added, ...events.slice(before)] };
}

/** Reports whether an event with this line number was added by {@link appendLastCall}. */
export function isLastCall(line: number | undefined): boolean {
  return line === NO_LINE;
}

/** Returns a copy of the frame with another id and, over HTTP, a separate stream number. */
function again(frame: Frame, at: number, stream: number | undefined): Frame {
  const copy = withId(frame, ID);
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
