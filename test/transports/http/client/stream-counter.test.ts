import { describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../../src/kernel/clock.ts';
import { StreamCounter } from '../../../../src/transports/http/client/stream-counter.ts';
import { call, request, result } from '../../../support/conversation.ts';
import { data, dialing } from '../dialing.ts';

const primed = 'id: 1\nretry: 1\ndata: \n\n';
const welcome = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } };

/** A client in a session, which counts its streams. */
async function counting() {
  const streams = new StreamCounter();
  const both = await dialing({ clock, streams });
  both.says(request(0, 'initialize', { protocolVersion: '2025-11-25' }));
  (await both.arrives()).answers(welcome, { 'mcp-session-id': 's-1' });
  await both.hears();
  return { both, streams, counts: () => [streams.lost, streams.resumed] };
}

describe('event streams that the server ends', () => {
  it('count when an answer is to come on them, and again when it comes after all', async () => {
    const { both, counts } = await counting();
    both.says(call(1, 'a'), 5);
    (await both.arrives()).streams(primed).ends();
    const get = await both.arrives();
    expect(counts()).toEqual([1, 0]);
    get.streams(`id: 2\n${data(result(1, 'A'))}`).ends();
    await both.hears();
    await both.hears();
    expect(counts()).toEqual([1, 1]);
    await both[Symbol.asyncDispose]();
  });

  it('count once when they are resumed in vain', async () => {
    const { both, counts } = await counting();
    both.says(call(1, 'a'), 5);
    (await both.arrives()).streams(primed).ends();
    (await both.arrives()).refuses(405);
    await both.hears();
    await both.hears();
    expect(counts()).toEqual([1, 0]);
    await both[Symbol.asyncDispose]();
  });

  it('count each time', async () => {
    const { both, counts } = await counting();
    both.says(call(1, 'a'), 5);
    for (let n = 1; n <= 3; n++) {
      (await both.arrives()).streams(`retry: 1\nid: ${n}\ndata: \n\n`).ends();
      await both.hears();
    }
    (await both.arrives()).streams(data(result(1, 'A')));
    await both.hears();
    expect(counts()).toEqual([3, 3]);
    await both[Symbol.asyncDispose]();
  });

  it('count when notifications may come on them, until the client ends its session', async () => {
    for (const isLeaving of [false, true]) {
      const { both, streams, counts } = await counting();
      both.sends({ kind: 'open', method: 'GET', stream: 3 });
      const get = (await both.arrives()).streams(primed);
      await both.hears();
      if (isLeaving) streams.leave();
      get.ends();
      await both.arrives();
      expect(counts()[0]).toBe(isLeaving ? 0 : 1);
      await both[Symbol.asyncDispose]();
    }
  });

  it('do not count after the answer, nor when the client has left them to come back', async () => {
    const { both, counts } = await counting();
    both.says(call(1, 'a'), 5);
    const post = (await both.arrives()).streams(primed);
    await both.hears();
    both.dialer.resumeStream(5);
    await post.left;
    (await both.arrives()).streams(data(result(1, 'A'))).ends();
    await both.hears();
    both.says(call(2, 'b'), 6);
    (await both.arrives()).answers(result(2, 'B'));
    await both.hears();
    expect(counts()).toEqual([0, 0]);
    await both[Symbol.asyncDispose]();
  });
});
