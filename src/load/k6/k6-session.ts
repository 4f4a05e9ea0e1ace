import type { Cassette } from '../../cassette/cassette.ts';
import { isMessageEntry, type MessageEntry, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { claimedRevision } from '../../protocol/claimed-revision.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { isNotification, isRequest, isResponse, resultOf } from '../../protocol/message.ts';
import { planClient } from '../../replay/plan/client-plan.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import { isMadeUp } from '../../replay/prepare/add-missing-handshake.ts';
import { type ParamHeaders, paramHeadersOf } from '../../transports/http/mcp-headers/param-headers.ts';
import { requestHeaders, withRecorded } from '../../transports/http/mcp-headers/request-headers.ts';
import { type K6Ignore, writtenIgnores } from './k6-ignore-rules.ts';
import { type RepeatedValue, repeatedValues } from './k6-repeated-values.ts';

/** A step of the script: a recorded message of the client, and the expected response. */
export interface K6Step {
  /** Cassette line of the message: `weather.yaml:72`. */
  place: string;
  /** Title for checks: `tools/call "weather"`. */
  what: string;
  method: string;
  isRequest: boolean;
  /** Whether the message belongs to no session, because it names its own revision (2026-07-28). */
  isStateless: boolean;
  send: string;
  headers: Record<string, string>;
  /** Headers that the recorded client left out. */
  without: string[];
  /** Recorded HTTP status. Absent if the cassette has no status. */
  status?: number;
  /** Recorded answer. Absent if the script does not compare the answer. */
  expect?: string;
  /** Recorded notifications on the stream of the answer, each with its ignore rules. */
  notifications: { text: string; ignore: K6Ignore[] }[];
  ignore: K6Ignore[];
  /** Places in the message with values that the server issued. */
  places: { path: JsonPath; value: string }[];
  /** Values of the answer that later messages repeat. */
  returns: { path: JsonPath; value: string; before: string; after: string }[];
}

/** A cassette in the form that a script plays. */
export interface K6Session {
  file: string;
  steps: K6Step[];
  /** Parts of the cassette that the script does not play or compare. */
  notes: string[];
}

/** Converts a cassette to steps of a script. The script sends one message at a time. */
export function k6Session({ file, header, events }: Cassette): K6Session {
  const plan = planClient(events, { opening: header.recorder === undefined });
  const { entries, links } = plan;
  const left = leftOut(plan);
  const params = paramHeadersIn(plan);
  const values = repeatedValues(plan);
  const sent = entries.filter(isMessageEntry).filter((entry) => isSent(entry) && !left.has(entry.index));
  const steps = sent.map((entry): K6Step => {
    const answer = entries[links.answerOf.get(entry.index) ?? -1];
    const isAsking = isRequest(entry.message);
    const isCompared = answer?.json !== undefined && !isMadeUp(entry) && answer.match?.optional !== true;
    const status = statusOf(entry, answer);
    const notifications = isAsking ? notificationsFor(entry, plan) : [];
    return {
      place: isMadeUp(entry) ? file : `${file}:${entry.line}`,
      what: isAsking ? messageTitle(entry.message) : methodOf(entry),
      method: methodOf(entry),
      isRequest: isAsking,
      isStateless: claimedRevision(entry.message) !== undefined,
      send: entry.json.text,
      ...headersOf(entry, params),
      ...(isAsking && isCompared && status !== undefined && { status }),
      ...(isAsking && isCompared && { expect: answer.json!.text }),
      notifications: notifications.map((one) => ({ text: one.json.text, ignore: ignoresOf(file, one) })),
      ignore: ignoresOf(file, entry, answer),
      places: values.filter((value) => value.sent.entry === entry.index).map(placeOf),
      returns: values.filter(({ returned }) => returned.entry === answer?.index).map(returnOf),
    };
  });
  return { file, steps, notes: notesOf(file, plan, left, steps) };
}

/** Returns the ignore rules beside the events of entries. */
function ignoresOf(file: string, ...entries: (SessionEntry | undefined)[]): K6Ignore[] {
  return writtenIgnores(
    entries.flatMap((entry) => entry?.match?.ignore ?? []),
    file,
  );
}

/** Reports whether the script sends an entry: a request or notification of the client. */
function isSent({ from, message }: MessageEntry): boolean {
  return from === 'client' && (isRequest(message) || isNotification(message));
}

function methodOf({ message }: SessionEntry): string {
  return isRequest(message) || isNotification(message) ? message.method : '';
}

/** Returns the reasons why the script cannot play some messages of the client, by entry index. */
function leftOut({ entries, links }: ReplayPlan): Map<number, string> {
  const left = new Map<number, string>();
  const open = new Set<number>();
  for (const { index, from, message } of entries) {
    if (from === 'client' && isRequest(message)) {
      open.add(index);
      if (!links.answerOf.has(index)) left.set(index, 'was not answered in the cassette');
      if (links.cancelOf.has(index)) left.set(index, 'was cancelled');
    } else if (from === 'client' && isNotification(message) && message.method === 'notifications/cancelled') {
      left.set(index, 'cancels a request');
    } else if (from === 'server' && isRequest(message)) {
      for (const one of open) left.set(one, `waits for the answer to ${message.method}, which the script cannot give`);
    } else if (from === 'server' && isResponse(message)) open.delete(links.requestOf.get(index) ?? -1);
  }
  return left;
}

/** Returns the tool arguments that calls repeat in headers, according to recorded tool lists. */
function paramHeadersIn({ entries, links }: ReplayPlan): Map<string, ParamHeaders> {
  const isList = ({ index }: SessionEntry) => {
    const request = entries[links.requestOf.get(index) ?? -1]?.message;
    return isRequest(request) && request.method === 'tools/list';
  };
  return new Map(entries.filter(isList).flatMap(({ message }) => [...paramHeadersOf(resultOf(message))]));
}

function headersOf({ frame, message }: MessageEntry, params: ReadonlyMap<string, ParamHeaders>) {
  const recorded = ('headers' in frame && frame.headers) || {};
  const without = Object.keys(recorded).filter((name) => recorded[name] === '');
  const headers = withRecorded(requestHeaders({ method: 'POST', message }, { params }), recorded);
  return { headers, without: without.map((name) => name.toLowerCase()) };
}

/** Returns the HTTP status of an answer. A stdio cassette implies a status for results only. */
function statusOf({ frame }: SessionEntry, answer: SessionEntry | undefined): number | undefined {
  if (answer === undefined) return undefined;
  if (frame.stream !== undefined) return (answer.frame.kind === 'message' ? answer.frame.status : undefined) ?? OK;
  return isResponse(answer.message) && 'result' in answer.message ? OK : undefined;
}

const OK = 200;

/** Returns the notifications on a request's stream that every server is expected to send again. */
function notificationsFor({ frame, index }: SessionEntry, { entries, links }: ReplayPlan): MessageEntry[] {
  const end = links.answerOf.get(index) ?? -1;
  return entries
    .slice(index, Math.max(index, end))
    .filter(isMessageEntry)
    .filter(
      (one) => one.frame.stream !== undefined && one.frame.stream === frame.stream && isComparedNotification(one),
    );
}

function isComparedNotification({ from, message, match }: SessionEntry): boolean {
  const isProgress = isNotification(message) && message.method === 'notifications/progress';
  return from === 'server' && isNotification(message) && !isProgress && match?.optional !== true;
}

function placeOf({ sent, value }: RepeatedValue): K6Step['places'][number] {
  return { path: sent.path, value };
}

function returnOf({ returned: { path, before, after }, value }: RepeatedValue): K6Step['returns'][number] {
  return { path, value, before, after };
}

/** Returns notes for the user on the parts of a cassette that the script does not play or compare. */
function notesOf(
  file: string,
  plan: ReplayPlan,
  left: ReadonlyMap<number, string>,
  steps: readonly K6Step[],
): string[] {
  const { entries } = plan;
  const at = (line: number) => `${file}:${line}`;
  const compared = steps.reduce((sum, { notifications }) => sum + notifications.length, 0);
  const others = entries.filter(({ from, message }) => from === 'server' && isNotification(message)).length - compared;
  const asked = entries.filter(({ from, message }) => from === 'server' && isRequest(message));
  const requests = [...left].filter(([index]) => isRequest(entries[index]!.message));
  const overlapping = overlappingLine(plan, left);
  return [
    ...requests.map(
      ([index, why]) => `Not played: ${messageTitle(entries[index]!.message)} (${at(entries[index]!.line)}) ${why}.`,
    ),
    ...(asked.length > 0
      ? [`Not compared: ${counted(asked.length, 'request')} of the server, at ${at(asked[0]!.line)} first.`]
      : []),
    ...(others > 0
      ? [`Not compared: ${counted(others, 'notification')} in ${file}, for progress or on no stream of an answer.`]
      : []),
    ...(overlapping === undefined
      ? []
      : [`One after the other: requests that were in flight together, at ${at(overlapping)} first.`]),
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the line of the first request that was sent while another one was open. */
function overlappingLine({ entries, links }: ReplayPlan, left: ReadonlyMap<number, string>): number | undefined {
  let open = 0;
  for (const { index, from, message, line } of entries) {
    if (from === 'client' && isRequest(message) && !left.has(index) && ++open > 1) return line;
    const request = links.requestOf.get(index);
    if (from === 'server' && request !== undefined && !left.has(request)) open--;
  }
  return undefined;
}
