import { describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { httpServer } from '../../../src/sweep/server/connect-to-http-server.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { fixture, Running } from '../../support/process.ts';
import { long, overStdio, shrink } from './server-orders-to-shrink.ts';

describe('an order of the messages of a client for which answers are swapped', () => {
  it('is shrunk to two calls over stdio', async () => {
    const { observation, messages, messagesBefore } = await shrink(overStdio('answers-by-position'), [6, 5]);
    expect(observation).toMatchObject({
      point: 'order@4,3',
      verdict: 'corrupted',
      cause: 'a request gets the answer to another one',
      isBad: true,
    });
    expect([messagesBefore, messages]).toEqual([long.events.length, 7]);
  });

  it('is shrunk to two calls over HTTP', async () => {
    await using running = new Running(fixture('concurrent-server.js', 'by-position', '1', 'http'));
    const target = httpServer({ upstream: parseUpstream(await running.line()), clock });
    const { observation, messages } = await shrink(target, [6, 5]);
    expect([observation.point, observation.verdict, messages]).toEqual(['order@4,3', 'corrupted', 7]);
  });
});
