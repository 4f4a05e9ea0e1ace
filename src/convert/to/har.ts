import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame, SseFields } from '../../channel/frame.ts';
import { instantOf } from '../../kernel/clock.ts';

/** Exchange: the client's request and the frames of its response, in order. */
interface Exchange {
  request: SessionEntry;
  responses: SessionEntry[];
}

/** URL for stdio cassettes, because HAR requires one. */
const NOWHERE = 'http://stdio.invalid/mcp';
const NO_DATE = '1970-01-01T00:00:00Z';

const [OK, ACCEPTED] = [200, 202];

/**
 * Formats a session as HAR 1.2, for developer tools. A cassette over HTTP gives an entry per exchange; a stdio cassette
 * gives one per client message, with its answer and progress. Frames outside of exchanges are omitted. `creator` is the
 * name and version of this program.
 */
export function har({ header, events }: Cassette, creator: { name: string; version: string }): string {
  const entries = eventsToEntries(events);
  const harEntries = exchangesOf(entries).map((exchange) => entryOf(exchange, header));
  const log = { version: '1.2', creator, entries: harEntries };
  return `${JSON.stringify({ log }, undefined, 2)}\n`;
}

function exchangesOf(entries: readonly SessionEntry[]): Exchange[] {
  const links = correlateEntries(entries);
  const byStream = new Map<number, Exchange>();
  const exchanges: Exchange[] = [];
  const ofRequest = new Map<number, Exchange>();
  for (const entry of entries) {
    const { frame, from, index } = entry;
    const isAsked = from === 'client' && (frame.kind === 'message' || frame.kind === 'open');
    const known = frame.stream === undefined ? undefined : byStream.get(frame.stream);
    if (isAsked && known === undefined) {
      const exchange = { request: entry, responses: [] };
      exchanges.push(exchange);
      ofRequest.set(index, exchange);
      if (frame.stream !== undefined) byStream.set(frame.stream, exchange);
    } else if (from === 'server') {
      const request = links.requestOf.get(index) ?? links.progressRequestOf.get(index) ?? -1;
      (known ?? ofRequest.get(request))?.responses.push(entry);
    }
  }
  return exchanges;
}

function entryOf({ request, responses }: Exchange, { url = NOWHERE, recorded = NO_DATE }: Cassette['header']): object {
  const { frame, at } = request;
  const time = (responses.at(-1)?.at ?? at) - at;
  const method = frame.kind === 'open' ? frame.method : 'POST';
  const text = frame.kind === 'message' ? frame.json.text : undefined;
  const date = instantOf(recorded);
  date.setTime(date.getTime() + at);
  return {
    startedDateTime: date.toISOString(),
    time,
    request: {
      ...line(method, url),
      ...(text !== undefined && { postData: { mimeType: 'application/json', text } }),
      bodySize: text === undefined ? 0 : Buffer.byteLength(text),
    },
    response: responseOf(responses),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

function line(method: string, url: string): object {
  return { method, url, httpVersion: 'HTTP/1.1', cookies: [], headers: [], queryString: [], headersSize: -1 };
}

function responseOf(came: readonly SessionEntry[]): object {
  const frames = came.map(({ frame }) => frame);
  const isStream = frames.some(
    (frame) => ('sse' in frame && frame.sse) || (frame.kind === 'http-response' && frame.status === 'sse'),
  );
  const hasMany = frames.filter(({ kind }) => kind === 'message').length > 1;
  const text = isStream || hasMany ? frames.map(eventText).join('') : frames.map(bodyText).join('');
  const mimeType = isStream || hasMany ? 'text/event-stream' : 'application/json';
  const status = statusOf(frames);
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: text === '' ? [] : [{ name: 'content-type', value: mimeType }],
    content: { size: Buffer.byteLength(text), mimeType: text === '' ? '' : mimeType, text },
    redirectURL: '',
    headersSize: -1,
    bodySize: Buffer.byteLength(text),
  };
}

/** Returns the HTTP status of an exchange. Without a response, the message was accepted, like a notification. */
function statusOf(frames: readonly Frame[]): number {
  for (const frame of frames) {
    if (frame.kind === 'http-response') return frame.status === 'sse' ? OK : frame.status;
    if (frame.kind === 'message') return frame.status ?? OK;
  }
  return ACCEPTED;
}

function bodyText(frame: Frame): string {
  if (frame.kind === 'message') return frame.json.text;
  return frame.kind === 'http-response' && typeof frame.body === 'string' ? frame.body : '';
}

function eventText(frame: Frame): string {
  if (frame.kind === 'comment') return `:${frame.text}\n\n`;
  if (frame.kind === 'sse') return block(frame.sse, frame.sse.data ?? '');
  return frame.kind === 'message' ? block(frame.sse ?? {}, frame.json.text) : '';
}

function block({ id, event, retry }: SseFields, data: string): string {
  const fields = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split('\n').map((part) => `data: ${part}`),
  ];
  return `${fields.join('\n')}\n\n`;
}
