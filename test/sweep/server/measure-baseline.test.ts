import { expect, it } from 'vitest';
import { systemClock } from '../../../src/kernel/clock.ts';
import { httpServer } from '../../../src/sweep/server/connect-to-http-server.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { call, cassette, client } from '../../support/conversation.ts';
import { fixture, Running } from '../../support/process.ts';
import { OPENING, text } from './orders/three-calls.ts';
import { sweepOf, verdictsOf } from './swept-server.ts';

const weather = (id: number, city: string) => client(call(id, 'weather', { city }));

async function sweepWeather(manner: string) {
  await using running = new Running(fixture('concurrent-server.js', manner, '1', 'http', '20'));
  const target = httpServer({ upstream: parseUpstream(await running.line()), clock: systemClock });
  const answers = manner === 'numbers' ? ['1. Lima', '2. Oslo'] : ['Lima: sunny', 'Oslo: sunny'];
  const [lima = '', oslo = ''] = answers;
  const played = cassette(...OPENING, weather(1, 'Lima'), text(1, lima), weather(2, 'Oslo'), text(2, oslo));
  return await sweepOf(target, { played, points: ['latency@3'] });
}

it('an answer that every session changes is named, since no change is found there', async () => {
  const sweep = await sweepWeather('numbers');
  expect(verdictsOf(sweep)).toEqual(['latency@3 passed']);
  const why =
    'its answer differs between two sessions without a misbehaviour, so no change is found there: /result/content/*/text';
  expect(sweep.varying.map(({ title, why }) => [title, why])).toEqual([
    ['tools/call "weather"', why],
    ['tools/call "weather"', why],
  ]);
});

it('an answer that stays is not named', async () => {
  expect((await sweepWeather('sound')).varying).toEqual([]);
});
