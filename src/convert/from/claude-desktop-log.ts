import { formatCount } from '../../kernel/format-count.ts';
import { badInput, type ConvertedSession, type Input, recordedAt } from '../converter-types.ts';
import { type LogEntry, lastSession } from '../last-session-in-log.ts';
import { loggedMessage } from '../parse-logged-message.ts';

/** A line of `mcp-server-NAME.log`, and one of `mcp.log`, which has the level before the server. */
const LINE =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) (?:\[(?:debug|info|warn|error)\] \[(.*?)\]|\[(.*?)\] \[\w+\]) (.*)$/;
const MESSAGE = /^Message from (client|server): (.*)$/;
const START = /^Initializing server/;

/** Matches metadata that some versions print after a message. */
const METADATA = /\s+\{\s*(?:metadata: .*)?$/;

/** A message without its content, as versions since summer 2026 log it. */
const SUMMARY = /^(?:method="|id=)/;

/**
 * Reads a log of Claude Desktop, `mcp-server-NAME.log` or `mcp.log`.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function fromClaudeDesktopLog(input: Input): ConvertedSession {
  let broken = 0;
  let unread = 0;
  const entries = input.text.split(/\r?\n/).flatMap((line, index): LogEntry[] => {
    const [, time, second, first, text = ''] = LINE.exec(line) ?? [];
    if (time === undefined && line.trim() !== '') unread++;
    if (time === undefined) return [];
    const entry = { time, server: second ?? first ?? '' };
    if (START.test(text)) return [{ ...entry, content: { kind: 'start' } }];
    const [, from, message = ''] = MESSAGE.exec(text) ?? [];
    if (from !== 'client' && from !== 'server') return [];
    if (SUMMARY.test(message))
      throw badInput(input, 'this version of Claude Desktop logs no contents of messages', index + 1);
    const json = loggedMessage(message) ?? loggedMessage(message.replace(METADATA, ''));
    if (json === undefined) broken++;
    return json ? [{ ...entry, content: { kind: 'message', from, json } }] : [];
  });
  const session = lastSession(input, entries);
  return {
    header: { transport: 'stdio', ...recordedAt(session.begun) },
    frames: session.frames,
    lost: [
      ...session.lost,
      ...(broken > 0 ? [`${formatCount(broken, 'message')} that the log has in part.`] : []),
      ...(unread > 0 ? [`${formatCount(unread, 'line')} without a time, such as the server’s standard error.`] : []),
      'The command of the server.',
    ],
  };
}
