import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { challengedStreams } from '../../../src/replay/prepare/refused-http-streams.ts';
import { call, cassette, client, notification } from '../../support/conversation.ts';

const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const reply = (stream: number, status: number): Frame => ({
  kind: 'http-response',
  at: 0,
  from: 'server',
  stream,
  status,
});
const challenged = (...frames: Frame[]) => [...challengedStreams(cassette(...frames).events)];

describe.each([
  ['a request', client(call(1, 'a')), client(call(2, 'a'))],
  ['a notification', client(notification('initialized')), client(notification('initialized'))],
])('%s that is refused with 401', (_, first, again) => {
  it('never was, if the client made it again', () => {
    expect(challenged(on(1, first), reply(1, 401), on(2, again), reply(2, 202))).toEqual([1]);
  });

  it('was made, if the client gave up', () => {
    expect(challenged(on(1, first), reply(1, 401))).toEqual([]);
    expect(challenged(on(1, first), reply(1, 401), on(2, again), reply(2, 401))).toEqual([1]);
  });
});
