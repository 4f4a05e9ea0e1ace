import type { Side } from '../../channel/frame.ts';
import { formatCount } from '../../kernel/format-count.ts';
import type { ConvertedSession, Input } from '../converter-types.ts';
import { type LogEntry, lastSession } from '../last-session-in-log.ts';
import { loggedMessage } from '../parse-logged-message.ts';

/** A line of an output of VS Code: time, level, text. */
const LINE = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[\w+\] (.*)$/;

/** Text of a message, now and in versions of spring 2025. */
const MESSAGE = /^\[(editor -> server|server -> editor|Client Says|Server Says)\] (.*)$/;
const STDERR = /^\[server stderr\] (.*)$/;
const START = /^Starting server /;

const OF_CLIENT: ReadonlySet<string> = new Set(['editor -> server', 'Client Says']);

/**
 * Reads the output of an MCP server in VS Code, at the log level Debug or Trace.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function fromVscodeLog(input: Input): ConvertedSession {
  let broken = 0;
  const entries = input.text.split(/\r?\n/).flatMap((line): LogEntry[] => {
    const [, time, text = ''] = LINE.exec(line) ?? [];
    if (time === undefined) return [];
    const entry = { time: `${time.replace(' ', 'T')}Z`, server: '' };
    if (START.test(text)) return [{ ...entry, content: { kind: 'start' } }];
    const [, stderr] = STDERR.exec(text) ?? [];
    if (stderr !== undefined) return [{ ...entry, content: { kind: 'stderr', text: stderr } }];
    const [, direction, message = ''] = MESSAGE.exec(text) ?? [];
    if (direction === undefined) return [];
    const json = loggedMessage(message);
    if (json === undefined) broken++;
    const from: Side = OF_CLIENT.has(direction) ? 'client' : 'server';
    return json ? [{ ...entry, content: { kind: 'message', from, json } }] : [];
  });
  const session = lastSession(input, entries, ': VS Code logs them if the log level of the server’s output is Debug');
  return {
    header: { transport: 'stdio' },
    frames: session.frames,
    lost: [
      ...session.lost,
      ...(broken > 0 ? [`${formatCount(broken, 'message')} that the log has in part.`] : []),
      'The date, because the log names no time zone; the command or URL of the server.',
    ],
  };
}
