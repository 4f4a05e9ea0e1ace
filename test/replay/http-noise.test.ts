import { expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { httpCassette } from '../../src/replay/http/http-cassette.ts';
import { HttpMockHandler } from '../../src/replay/http/http-mock-handler.ts';
import { call, cassette as cassetteOf, client, result, server } from '../support/conversation.ts';

const ASKED = { ...client(call(1, 'a')), stream: 1 };
const ANSWER = { ...server(result(1, 'A')), stream: 1, sse: {} };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const noise = (data: string | Uint8Array, more: object): Frame => ({
  kind: 'line',
  at: 0,
  from: 'server',
  on: 'protocol',
  data,
  stream: 1,
  ...more,
});

/** What a client gets on the wire for its call, of a server without sessions that said `frames`. */
function wire(...frames: Frame[]): string {
  const recorded = cassetteOf(ASKED, ...frames);
  const cassette = { ...recorded, header: { ...recorded.header, transport: 'http' as const } };
  const clock = new ManualClock();
  const mock = new HttpMockHandler({
    cassettes: [httpCassette(cassette)],
    clock,
    timing: 'instant',
    report() {},
    newSession: () => 's',
  });
  const sent: string[] = [];
  const add = (text: string) => void sent.push(text);
  mock.serve(
    { method: 'POST', target: '/mcp', headers: HEADERS, body: JSON.stringify(call(1, 'a')) },
    {
      answer: ({ status, body = '' }) => add(`${status} ${body}`),
      stream: () => add('stream|'),
      event: (data, sse) => add(`${JSON.stringify({ ...sse, ...(data !== undefined && { data }) })}|`),
      begin: ({ status, headers }) => add(`${status} ${headers?.['content-length']}|`),
      write: (data) => add(`${Buffer.from(data).toString('latin1')}|`),
      end: () => add('end'),
      abort: (how) => add(how),
    },
  );
  clock.endTurn();
  clock.advance(1);
  clock.advance(1);
  return sent.join('');
}

const ANSWERED = JSON.stringify({ data: JSON.stringify(result(1, 'A')) });

it('an event that is no message comes before the answer, as it did', () => {
  const oops = noise('oops', { sse: {} });
  expect(wire(oops, ANSWER)).toBe(`stream|data: oops\n\n|${ANSWERED}|end`);
  const bytes = noise(Uint8Array.of(0xff), { sse: { id: '1' } });
  expect(wire(bytes, ANSWER)).toBe(`stream|id: 1\ndata: \xff\n\n|${ANSWERED}|end`);
});

it('an event of a type of its own keeps its data', () => {
  const ping: Frame = { kind: 'sse', at: 0, from: 'server', stream: 1, sse: { event: 'ping', data: '{}' } };
  expect(wire(ping, ANSWER)).toBe(`stream|${JSON.stringify({ event: 'ping', data: '{}' })}|${ANSWERED}|end`);
});

it('what was cut comes as far as it came, and then the connection is lost', () => {
  const lost: Frame = { kind: 'close', at: 0, from: 'server', stream: 1, how: 'fin' };
  expect(wire(noise('{"jso', { sse: {}, partial: true }), lost)).toBe('stream|data: {"jso|fin');
  expect(wire(noise('{"jso', { partial: true }), lost)).toBe('200 6|{"jso|fin');
});
