import { expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { refusalText, refusedRequests } from '../../../src/cassette/correlate/refused-requests.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';

const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const reply = (stream: number, status: number | 'sse', body?: string): Frame => ({
  kind: 'http-response',
  at: 0,
  from: 'server',
  stream,
  status,
  ...(body !== undefined && { body }),
});

/** Each refused request by its position, with what it was refused with. */
const refusals = (...frames: Frame[]) => {
  const entries = eventsToEntries(cassette(...frames).events);
  const found = refusedRequests(entries, correlateEntries(entries));
  return [...found].map(([asked, refusal]) => [asked, refusalText(entries[refusal]!)]);
};

it('a status of 400 or more in the place of a message refuses the request of its exchange', () => {
  const frames = [on(1, client(call(1, 'a'))), on(2, client(call(2, 'b'))), reply(1, 503), reply(2, 404, 'gone')];
  expect(refusals(...frames)).toEqual([
    [0, 'HTTP 503'],
    [1, 'HTTP 404 gone'],
  ]);
});

it('an error without an id refuses the request of its exchange if its status does', () => {
  const error = (id: unknown) => server({ jsonrpc: '2.0', id, error: { code: -32000, message: 'busy' } });
  const asked = [on(1, client(call(1, 'a'))), on(2, client(call(2, 'b'))), on(3, client(call(3, 'c')))];
  const said = [
    { ...on(1, error(null)), status: 503 },
    { ...on(2, error(2)), status: 400 },
    on(3, error(null)),
  ] as Frame[];
  expect(refusals(...asked, ...said)).toEqual([[0, 'HTTP 503 busy']]);
});

it('it refuses all requests of a batch', () => {
  expect(refusals(on(1, client([call(1, 'a'), call(2, 'b')])), reply(1, 500))).toEqual([
    [0, 'HTTP 500'],
    [1, 'HTTP 500'],
  ]);
});

it.each<[string, Frame[]]>([
  ['an event stream', [on(1, client(call(1, 'a'))), reply(1, 'sse')]],
  ['a status of success', [on(1, client(call(1, 'a'))), reply(1, 202)]],
  ['a refusal of another exchange', [on(1, client(call(1, 'a'))), reply(2, 503)]],
  ['a refusal after an answer', [on(1, client(call(1, 'a'))), on(1, server(result(1, 'x'))), reply(1, 503)]],
  ['a refusal before the request', [reply(1, 503), on(1, client(call(1, 'a')))]],
  ['a refused answer of the client', [on(1, server(request(1, 'ping'))), on(2, client(result(1, 'x'))), reply(2, 400)]],
])('%s refuses no request', (_what, frames) => {
  expect(refusals(...frames)).toEqual([]);
});
