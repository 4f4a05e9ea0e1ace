import { expect, it } from 'vitest';
import type { Frame, Headers } from '../../../src/channel/frame.ts';
import { RequestTracker } from '../../../src/faults/engine/request-tracker.ts';
import { call, client, progress, request, result, server, stderr } from '../../support/conversation.ts';

const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream }) as Frame;

it('an answer is about what was asked, over HTTP by the stream that it comes on', () => {
  const subjects = new RequestTracker();
  subjects.of(on(1, client(call(7, 'one'))));
  subjects.of(on(2, client(call(7, 'two'))));
  expect(subjects.of(on(1, server(result(7, 'x'))))).toMatchObject({ method: 'tools/call', name: 'one' });
  expect(subjects.of(on(2, server(result(7, 'x'))))).toMatchObject({ method: 'tools/call', name: 'two' });
  expect(subjects.of(on(3, server(result(7, 'x'))))).toMatchObject({ name: 'two' });
  expect(subjects.of(server(result(8, 'x')))).toEqual({ kind: 'response' });
});

it('progress is about the request with its token', () => {
  const subjects = new RequestTracker();
  subjects.of(client(call(1, 'slow', {}, 'token')));
  subjects.of(client(call(2, 'other')));
  const told = { kind: 'notification', method: 'notifications/progress' };
  expect(subjects.of(server(progress('token', 1)))).toEqual({ ...told, request: 'tools/call', name: 'slow' });
  expect(subjects.of(server(progress('none', 1)))).toEqual(told);
  const silent = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
  expect(subjects.of(server(silent))).toEqual(told);
});

it('a name that is no text is none, and what is no message is about nothing but how it was opened', () => {
  const subjects = new RequestTracker();
  const asked = subjects.of(client(request(1, 'a', { name: 5 })));
  expect(asked).toEqual({ kind: 'request', method: 'a', request: 'a', name: undefined });
  expect(subjects.of(client({ id: null, method: 'a' }))).toEqual({});
  expect(subjects.of(stderr('x'))).toEqual({});
  expect(subjects.of({ kind: 'open', at: 0, from: 'client', stream: 1, method: 'GET' })).toEqual({
    method: 'GET',
  });
});

it('an answer of an authorization server is about what was asked there: its body, or its redirect', () => {
  const subjects = new RequestTracker();
  const open = (stream: number, method: string, path: string): Frame => ({
    ...{ kind: 'open', at: 0, from: 'client', stream },
    ...{ method, path },
  });
  const answer = (stream: number, headers?: Headers): Frame => ({
    ...{ kind: 'http-response', at: 0, from: 'server', stream, status: 200 },
    ...(headers && { headers }),
  });
  const token = { kind: 'authorization', method: 'oauth/token' };
  expect(subjects.of(open(1, 'POST', '/token'))).toEqual(token);
  expect(subjects.of(on(1, client(call(1, 'one'))))).toEqual({});
  expect(subjects.of(answer(1))).toEqual({});
  expect(subjects.of(on(1, server({ access_token: 'x' })))).toEqual(token);
  expect(subjects.of(on(2, server({ access_token: 'x' })))).toEqual({});
  subjects.of({ kind: 'close', at: 0, from: 'server', stream: 1 });
  expect(subjects.of(on(1, server({ access_token: 'x' })))).toEqual({});
  subjects.of(open(3, 'GET', '/authorize?x'));
  expect(subjects.of(answer(3, { location: 'x' }))).toEqual({ kind: 'authorization', method: 'oauth/authorize' });
  expect(subjects.of(on(3, server({})))).toEqual({});
});

it('ten thousand requests are remembered, and not one more', () => {
  const subjects = new RequestTracker();
  for (let id = 0; id <= 10_000; id++) subjects.of(client(request(id, 'a')));
  expect(subjects.of(server(result(0, 'x')))).toEqual({ kind: 'response' });
  expect(subjects.of(server(result(1, 'x')))).toMatchObject({ method: 'a' });
});
