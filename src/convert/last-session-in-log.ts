import type { Frame, Side } from '../channel/frame.ts';
import { instantOf } from '../kernel/clock.ts';
import { formatCount } from '../kernel/format-count.ts';
import { canonicalJson } from '../match/canonical-json.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isRequest, isResponse } from '../protocol/message.ts';
import { badInput, type Input } from './converter-types.ts';

/** Entry of a log that contains sessions of several servers in time order. */
export interface LogEntry {
  /** Time of the entry, in ISO 8601 with a time zone. */
  time: string;
  /** Name of the server in the log. */
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

/**
 * Returns the last session of a log with a message beside responses to requests that it does not have.
 * `advice` says how to get a log with messages.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function lastSession(input: Input, entries: readonly LogEntry[], advice = ''): LoggedSession {
  const server = entries.findLast(isMessage)?.server;
  if (server === undefined) throw badInput(input, `it has no messages${advice}`);
  const others = new Set(entries.filter(isMessage).map((entry) => entry.server));
  others.delete(server);
  const sessions = sessionsIn(entries.filter((entry) => entry.server === server));
  const answered = sessions.map(withoutForeignAnswers);
  const last = answered.findLastIndex((session) => session.some(isMessage));
  const session = answered[last];
  if (session === undefined) throw badInput(input, 'it has only responses to requests that are not in it');
  const begun = session[0]!.time;
  const foreign = sessions.slice(last).flat().length - answered.slice(last).flat().length;
  return {
    begun,
    frames: session.flatMap((entry) => frameOf(entry, begun)),
    lost: [
      ...(others.size > 0 ? [`Sessions of other servers: ${[...others].join(', ')}.`] : []),
      ...(last > 0 ? [`${formatCount(last, 'earlier session')} of ${server || 'the server'}.`] : []),
      ...(foreign > 0
        ? [`${formatCount(foreign, 'answer')} without a request, as of another connection at the same time.`]
        : []),
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
