import { instantOf } from '../../kernel/clock.ts';
import { locate } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { badInput, type ConvertedSession, type Input, recordedAt } from '../converter-types.ts';
import { type LogEntry, lastSession } from '../last-session-in-log.ts';
import { type NdjsonLine, readNdjson } from '../read-ndjson.ts';

const DIRECTIONS: Readonly<Record<string, 'client' | 'server'>> = { send: 'client', recv: 'server' };

/**
 * Reads a recording of mcporter (`mcporter record`): one message per line, with `_meta` at its end, which has the direction, the server and the time.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function fromMcporter(input: Input): ConvertedSession {
  const lost: string[] = [];
  const entries = readNdjson(input, lost).map((line) => entryOf(input, line));
  const session = lastSession(input, entries);
  return {
    // The format does not record the transport.
    header: { transport: 'stdio', ...recordedAt(session.begun) },
    frames: session.frames,
    lost: [...lost, ...session.lost, 'The command or URL of the server, and what it wrote to standard error.'],
  };
}

function entryOf(input: Input, { line, value, json }: NdjsonLine): LogEntry {
  const { dir, server, ts } = isObject(value._meta) ? value._meta : {};
  const time = String(ts);
  if (Number.isNaN(instantOf(time).getTime())) throw badInput(input, 'the line has no "_meta" with a time "ts"', line);
  const entry = { time, server: String(server ?? '') };
  if (dir === 'lifecycle') {
    return { ...entry, content: { kind: value.method === '$transport/close' ? 'close' : 'start' } };
  }
  const from = DIRECTIONS[String(dir)];
  if (from === undefined) throw badInput(input, 'the "dir" of its "_meta" is none of send, recv and lifecycle', line);
  return { ...entry, content: { kind: 'message', from, json: withoutMeta(json.text) } };
}

/** Returns the source text of a message without the `_meta` member, which mcporter adds. */
function withoutMeta(text: string): JsonText {
  const { start, end } = locate(text, ['_meta'])!;
  const before = text.slice(0, start).replace(/,?\s*"_meta"\s*:\s*$/, '');
  const after = text.slice(end);
  return new JsonText(before.endsWith('{') ? before + after.replace(/^\s*,/, '') : before + after);
}
