import type { Frame, Side } from '../channel/frame.ts';
import { instantOf } from '../kernel/clock.ts';
import { formatCount } from '../kernel/format-count.ts';
import { canonicalJson } from '../match/canonical-json.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isRequest, isResponse } from '../protocol/message.ts';

/** An entry of a log that holds the sessions of several servers, one after the other. */
export interface LogEntry {
  /** Time of the entry, in ISO 8601 with a time zone. */
  time: string;
  /** Name of the server, as the log has it. */
  server: string;
  /** Content. `start`: a new session begins. */
  content:
    | { kind: 'message'; from: Side; json: JsonText }
    | { kind: 'stderr'; text: string }
    | { kind: 'start' | 'close' };
}

/** The last session of a log. */
export interface LoggedSession {
  /** Time of the first entry. */
  begun: string;
  frames: Frame[];
  lost: string[];
}

/** Returns the last session with messages in a log. Undefined: no entry is a message. */
export function lastSession(entries: readonly LogEntry[]): LoggedSession | undefined {
  const server = entries.findLast(({ content }) => content.kind === 'message')?.server;
  if (server === undefined) return undefined;
  const others = new Set(entries.filter(isMessage).map((entry) => entry.server));
  others.delete(server);
  const sessions = sessionsIn(entries.filter((entry) => entry.server === server));
  const session = sessions.at(-1)!;
  const answered = withoutForeignAnswers(session);
  const begun = answered[0]!.time;
  const foreign = session.length - answered.length;
  return {
    begun,
    frames: answered.flatMap((entry) => frameOf(entry, begun)),
    lost: [
      ...(others.size > 0 ? [`Sessions of other servers: ${[...others].join(', ')}.`] : []),
      ...(sessions.length > 1
        ? [`${formatCount(sessions.length - 1, 'earlier session')} of ${server || 'the server'}.`]
        : []),
      ...(foreign > 0 ? [`${formatCount(foreign, 'answer')} to another connection at the same time.`] : []),
    ],
  };
}

/** Splits entries where the log says that a session starts, and before an `initialize`. Sessions without messages are left out. */
function sessionsIn(entries: readonly LogEntry[]): LogEntry[][] {
  const sessions: LogEntry[][] = [[]];
  for (const entry of entries) {
    const isNew = entry.content.kind === 'start' || (isInitialize(entry) && sessions.at(-1)!.some(isMessage));
    if (isNew) sessions.push([]);
    sessions.at(-1)!.push(entry);
  }
  return sessions.filter((session) => session.some(isMessage));
}

function isMessage({ content }: LogEntry): boolean {
  return content.kind === 'message';
}

function isInitialize({ content }: LogEntry): boolean {
  return content.kind === 'message' && isRequest(content.json.value) && content.json.value.method === 'initialize';
}

/** Leaves out responses to requests that the session does not have: clients can connect twice, and log both at once. */
function withoutForeignAnswers(entries: readonly LogEntry[]): LogEntry[] {
  const open = new Set<string>();
  return entries.filter(({ content }) => {
    if (content.kind !== 'message') return true;
    const { value } = content.json;
    if (isRequest(value)) open.add(`${content.from} ${canonicalJson(value.id)}`);
    if (!isResponse(value)) return true;
    return open.delete(`${content.from === 'client' ? 'server' : 'client'} ${canonicalJson(value.id)}`);
  });
}

function frameOf({ time, content }: LogEntry, begun: string): Frame[] {
  const at = Math.max(0, instantOf(time).getTime() - instantOf(begun).getTime()) || 0;
  if (content.kind === 'message') return [{ kind: 'message', at, from: content.from, json: content.json }];
  if (content.kind === 'stderr') return [{ kind: 'line', at, from: 'server', on: 'stderr', data: content.text }];
  return content.kind === 'close' ? [{ kind: 'close', at, from: 'client' }] : [];
}
