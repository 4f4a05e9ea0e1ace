import type { Frame } from '../../channel/frame.ts';
import { instantOf } from '../../kernel/clock.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { isJson, JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { SseDecoder } from '../../transports/http/sse/sse-decoder.ts';
import { badInput, type ConvertedSession, type Input, jsonOf, plainUrl, recordedAt } from '../converter-types.ts';
import { misreadUtf8 } from './misread-utf8.ts';

interface HarEntry {
  startedDateTime?: string;
  time?: number;
  request: { method: string; url: string; headers?: Pair[]; postData?: { text?: string } };
  response: {
    status: number;
    headers?: Pair[];
    content?: { text?: string; mimeType?: string; encoding?: string };
  };
}

/** A header. A damaged file may lack the name, or the whole pair. */
type Pair = { name?: unknown; value: string } | null;

const OK = 200;
const ACCEPTED = 202;

/**
 * Reads a HAR 1.2 log of a browser or proxy: the JSON-RPC messages posted to one URL, and their responses. Headers are
 * dropped, because they contain credentials.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function fromHar(input: Input): ConvertedSession {
  const { whole, malformed } = entriesOf(input);
  const all = whole.sort((a, b) => startOf(a) - startOf(b));
  const url = all.find(isCall)?.request.url;
  if (url === undefined) throw badInput(input, 'nothing in it was posted that is a JSON-RPC message');
  const entries = all.filter(({ request }) => request.url === url);
  const { startedDateTime: recorded } = entries[0]!;
  const started = startOf(entries[0]!);
  const sessions = new Set(entries.flatMap(({ response }) => headerOf(response.headers, 'mcp-session-id') ?? []));
  const left = all.length - entries.length;
  const frames = entries.flatMap((entry, index) => framesOf(entry, startOf(entry) - started, index + 1));
  return {
    header: { transport: 'http', ...plainUrl(url), ...recordedAt(recorded) },
    frames: frames.sort((a, b) => a.at - b.at),
    lost: [
      'Headers, and when each event of a stream came: all stand where the stream ended.',
      ...(left > 0 ? [`${formatCount(left, 'exchange')} with other addresses.`] : []),
      ...missingIn(entries, malformed),
      ...(sessions.size > 1 ? [`That it holds ${sessions.size} sessions: they are in one cassette.`] : []),
    ],
  };
}

/** Says which messages the log does not have, although they were sent. */
function missingIn(entries: readonly HarEntry[], malformed: number): string[] {
  const posted = entries.filter(({ request }) => request.method === 'POST');
  const unread = posted.filter(({ request }) => messageIn(request.postData?.text) === undefined);
  const unanswered = posted.filter(({ request, response }) => isCut(response) || isUnanswered(request, response));
  return [
    ...(unread.length > 0
      ? [`The messages of ${formatCount(unread.length, 'request')}: the file has no body of them that is JSON.`]
      : []),
    ...(unanswered.length > 0
      ? [
          `The messages of ${formatCount(unanswered.length, 'response')}: the file has no whole body of them. Save it with content.`,
        ]
      : []),
    ...(malformed > 0 ? [`${formatCount(malformed, 'exchange')} without a method, an address or a status.`] : []),
  ];
}

/** Reports whether the answer to a request is missing, although its response says that all is well. */
function isUnanswered({ postData }: HarEntry['request'], response: HarEntry['response']): boolean {
  const asked = messageIn(postData?.text)?.value;
  return isObject(asked) && 'method' in asked && 'id' in asked && response.status === OK && bodyOf(response) === '';
}

/** Reports whether a body of JSON is incomplete. */
function isCut(response: HarEntry['response']): boolean {
  const body = bodyOf(response);
  const isOfJson = /^application\/json/i.test(response.content?.mimeType ?? '');
  return isOfJson && body !== '' && !isJson(new JsonText(body));
}

function entriesOf(input: Input): { whole: HarEntry[]; malformed: number } {
  const har = jsonOf(input);
  const log = isObject(har) ? har.log : undefined;
  const entries = isObject(log) ? log.entries : undefined;
  if (!Array.isArray(entries)) throw badInput(input, 'it has no list of "log.entries"');
  const isWhole = (entry: unknown): entry is HarEntry =>
    isObject(entry) &&
    isObject(entry.request) &&
    isObject(entry.response) &&
    typeof entry.request.method === 'string' &&
    typeof entry.request.url === 'string' &&
    typeof entry.response.status === 'number';
  const whole = entries.filter(isWhole);
  return { whole, malformed: entries.length - whole.length };
}

function framesOf({ time = 0, request, response }: HarEntry, at: number, stream: number): Frame[] {
  const asked = messageIn(request.postData?.text);
  const client = { at, from: 'client', stream } as const;
  const later = { at: at + Math.max(0, time), from: 'server', stream } as const;
  const said: Frame =
    request.method === 'POST' && asked
      ? { kind: 'message', ...client, json: asked }
      : { kind: 'open', ...client, method: request.method };
  const issued = headerOf(response.headers, 'mcp-session-id') !== undefined && isInitialize(asked);
  const session = issued ? { session: 'new' as const } : {};
  const body = bodyOf(response);
  if (/^text\/event-stream/i.test(response.content?.mimeType ?? '')) {
    const events = eventsIn(misreadUtf8(body), later);
    const [first, ...rest] = events;
    // A stream may begin with an event without a message, for resumption.
    if (first?.kind !== 'message')
      return [said, { kind: 'http-response', ...later, status: 'sse', ...session }, ...events];
    return [said, { ...first, ...session }, ...rest];
  }
  const { status } = response;
  const answer = messageIn(body);
  if (answer) {
    return [said, { kind: 'message', ...later, json: answer, ...(status !== OK && { status }), ...session }];
  }
  if (status === 0) return [said, { kind: 'close', ...later, from: 'client', how: 'fin' }];
  if (body === '' && (status === ACCEPTED || (status === OK && request.method === 'DELETE'))) return [said];
  return [said, { kind: 'http-response', ...later, status, ...(body !== '' && { body }), ...session }];
}

function eventsIn(body: string, base: { at: number; from: 'server'; stream: number }): Frame[] {
  const frames: Frame[] = [];
  const decoder = new SseDecoder({
    holdBytesMax: Number.POSITIVE_INFINITY,
    comment: (text) => frames.push({ kind: 'comment', ...base, text }),
    event: ({ data, partial: _partial, event, ...fields }) => {
      const sse = event === undefined || event === 'message' ? fields : { ...fields, event };
      const json = typeof data === 'string' ? messageIn(data) : undefined;
      if (json) frames.push({ kind: 'message', ...base, json, sse });
      else frames.push({ kind: 'sse', ...base, sse: { ...sse, ...(data && { data: String(data) }) } });
    },
  });
  decoder.write(Buffer.from(body));
  decoder.end();
  return frames;
}

function messageIn(text = ''): JsonText | undefined {
  const json = new JsonText(text);
  return isJson(json) && typeof json.value === 'object' && json.value !== null ? json : undefined;
}

function isCall({ request }: HarEntry): boolean {
  const value = request.method === 'POST' ? messageIn(request.postData?.text)?.value : undefined;
  return isObject(value) && typeof value.method === 'string' && value.jsonrpc === '2.0';
}

function isInitialize(asked: JsonText | undefined): boolean {
  return isObject(asked?.value) && asked.value.method === 'initialize';
}

function bodyOf({ content }: HarEntry['response']): string {
  const text = content?.text ?? '';
  return content?.encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text;
}

function headerOf(headers: readonly Pair[] = [], name: string): string | undefined {
  return headers.find((header) => String(header?.name).toLowerCase() === name)?.value;
}

function startOf({ startedDateTime = '' }: HarEntry): number {
  return instantOf(startedDateTime).getTime() || 0;
}
