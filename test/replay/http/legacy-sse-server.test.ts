import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { httpCassette } from '../../../src/replay/http/http-cassette.ts';
import { HttpMockHandler } from '../../../src/replay/http/http-mock-handler.ts';
import type { HttpResponseWriter } from '../../../src/replay/http/http-response-writer-types.ts';
import type { HttpResponse } from '../../../src/replay/http/requests/accept-or-refuse-request.ts';
import {
  call,
  cassette as cassetteOf,
  client,
  notification,
  request,
  result,
  server,
} from '../../support/conversation.ts';

const TAPE = cassetteOf(
  client(request(0, 'initialize', { protocolVersion: '2024-11-05' })),
  server({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2024-11-05' } }),
  client(call(1, 'a')),
  server(result(1, 'A')),
);

function mock(cassette = TAPE) {
  let sessions = 0;
  const clock = new ManualClock();
  const mock = new HttpMockHandler({
    cassettes: [httpCassette(cassette)],
    clock,
    newSession: () => `s/${++sessions}`,
    report() {},
  });
  return {
    settle() {
      clock.endTurn();
      clock.advance(1);
    },
    listen() {
      const events: [string | undefined, string][] = [];
      const answers: HttpResponse[] = [];
      const reply: HttpResponseWriter = {
        answer: (answer) => answers.push(answer),
        stream() {},
        event: (data, sse) => events.push([sse?.event, data ?? '']),
        begin() {},
        write() {},
        end() {},
        abort() {},
      };
      const close = mock.serve({ method: 'GET', target: '/sse', headers: {}, body: '' }, reply);
      return { events, answers, close };
    },
    post(target: string, body: string, method = 'POST') {
      const answers: HttpResponse[] = [];
      const answer = (said: HttpResponse) => void answers.push(said);
      const reply: HttpResponseWriter = {
        answer,
        stream() {},
        event() {},
        begin() {},
        write() {},
        end() {},
        abort() {},
      };
      mock.serve({ method, target, headers: {}, body }, reply);
      return answers[0]?.status;
    },
  };
}

describe('HTTP with SSE (§5)', () => {
  const initialize = JSON.stringify(request(7, 'initialize', { protocolVersion: '2024-11-05' }));

  it('says first where to post, and then all on the stream', () => {
    const sse = mock();
    const { events } = sse.listen();
    expect(events).toEqual([['endpoint', '/messages?sessionId=s%2F1']]);
    expect(sse.post(events[0]![1], initialize)).toBe(202);
    expect(sse.post(events[0]![1], JSON.stringify(call(8, 'a')))).toBe(202);
    expect(events.slice(1).map(([name, data]) => [name, JSON.parse(data).id])).toEqual([
      [undefined, 7],
      [undefined, 8],
    ]);
  });

  it('has a session a stream, which ends with it', () => {
    const sse = mock();
    const [one, two] = [sse.listen(), sse.listen()];
    sse.post(two.events[0]![1], initialize);
    expect([one.events.length, two.events.length]).toEqual([1, 2]);
    one.close();
    expect([sse.post(one.events[0]![1], initialize), sse.post(two.events[0]![1], initialize)]).toEqual([404, 202]);
  });

  it('refuses what is no message, no session, or no POST', () => {
    const sse = mock();
    const endpoint = sse.listen().events[0]![1];
    expect(sse.post(endpoint, '{')).toBe(400);
    expect(sse.post(endpoint, '{}')).toBe(400);
    expect(sse.post('/messages?sessionId=guess', initialize)).toBe(404);
    expect(sse.post('/messages', initialize)).toBe(404);
    expect(sse.post(endpoint, '', 'GET')).toBe(405);
  });

  it('is nothing for a cassette of 2026-07-28', () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const modern = cassetteOf(client(request(1, 'tools/list', { _meta })), server(result(1, 'A')));
    expect(mock(modern).listen().answers).toMatchObject([{ status: 405 }]);
  });

  it('says on a new stream where to post, and then what the server says before its client does', () => {
    const up = notification('message', { level: 'info', data: 'up' });
    const recorded: Frame[] = [
      { kind: 'open', at: 0, from: 'client', method: 'GET', stream: 1 },
      { kind: 'sse', at: 0, from: 'server', sse: { event: 'endpoint', data: '/messages' }, stream: 1 },
      { ...server(up), stream: 1, sse: {} } as Frame,
      ...TAPE.events.map(({ frame }, index) => ({
        ...frame,
        stream: frame.from === 'client' ? index + 2 : 1,
      })),
    ];
    const sse = mock({ ...cassetteOf(...recorded), header: { format: 'mcp-record/1', transport: 'http' } });
    const { events } = sse.listen();
    expect(events).toEqual([
      ['endpoint', '/messages?sessionId=s%2F1'],
      [undefined, JSON.stringify(up)],
    ]);
    sse.post(events[0]![1], initialize);
    sse.settle();
    expect(events.slice(2).map(([, data]) => JSON.parse(data))).toMatchObject([{ id: 7 }]);
  });
});
