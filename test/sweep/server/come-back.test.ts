import { expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { httpServer } from '../../../src/sweep/server/connect-to-http-server.ts';
import type { UnfitPoint } from '../../../src/sweep/server/misbehaviour-cases.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
import { fixture, Running } from '../../support/process.ts';
import { reasonsOf, sweepOf, text, verdictsOf } from './swept-server.ts';

const clientInfo = { name: 'swept', version: '1' };
/** A session with `resumable-server.js` in a revision. */
const sessionIn = (protocolVersion: string, isShort = false): Cassette =>
  cassette(
    client(request(0, 'initialize', { protocolVersion, capabilities: {}, clientInfo })),
    server({
      jsonrpc: '2.0',
      id: 0,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'resumable', version: '1' } },
    }),
    client(notification('initialized')),
    client(call(1, 'work', {}, 1)),
    server(text(1, 'worked')),
    ...(isShort ? [] : [client(call(2, 'labour', {}, 2)), server(text(2, 'laboured'))]),
    client(call(3, 'rest')),
    server(text(3, 'rested at once')),
  );
const [work, labour, rest] = [3, 4, 5];

async function sweep(bug: string, points: readonly string[], played = sessionIn('2025-11-25')) {
  await using running = new Running(fixture('resumable-server.js', bug));
  const target = httpServer({ upstream: parseUpstream(await running.line()), clock: systemClock });
  const unfit: UnfitPoint[] = [];
  const options = { played, points, deadline: 5_000 };
  const swept = await sweepOf(target, { ...options, leftOut: (some) => void unfit.push(...some) });
  return { swept, leftOut: unfit.map(({ point, why }) => `${point.name}: ${why}`) };
}

const SECTION = '(Base Protocol, Transports, "Streamable HTTP", "Resumability and Redelivery")';

it.each([
  ['loses-the-answer', 'hung', `tools/call "work" is not answered itself ${SECTION}`],
  ['refuses', 'corrupted', SECTION],
  ['answers-twice', 'repeated', `it answered request 1 2 times ${SECTION}`],
  ['dies', 'crashed', 'nobody can connect to it any more (no rule; surprising)'],
])('a server that %s when its client comes back is found: %s', async (bug, verdict, why) => {
  const { swept } = await sweep(bug, [`come-back@${work}`], sessionIn('2025-11-25', true));
  expect(verdictsOf(swept), reasonsOf(swept)).toEqual([`come-back@${work} ${verdict}`]);
  expect(swept.results[0]?.why).toContain(why);
});

it('a server that replays the events of all streams is found', async () => {
  const { swept } = await sweep('replays-all-streams', [`come-back@${labour}`]);
  expect(verdictsOf(swept), reasonsOf(swept)).toEqual([`come-back@${labour} stray`]);
  expect(swept.results[0]?.why).toMatch(/^it sends the answer to request \d, which came on another stream, again/);
  expect(swept.results[0]?.why).toContain(SECTION);
});

it('a server on the SDK with an event store is accused of nothing', async () => {
  const points = [work, labour, rest].map((at) => `come-back@${at}`);
  const { swept } = await sweep('sound', points);
  expect(verdictsOf(swept), reasonsOf(swept)).toEqual(points.map((point) => `${point} passed`));
});

it('a request without an event id before its answer is left out', async () => {
  const why = 'without misbehaviour, no event with an id comes before its answer, so its stream cannot be resumed';
  // Up to 2025-06-18, the SDK sends no event before the progress.
  const older = await sweep('sound', [`come-back@${work}`, `come-back@${rest}`], sessionIn('2025-06-18'));
  expect(verdictsOf(older.swept), reasonsOf(older.swept)).toEqual([`come-back@${work} passed`]);
  expect(older.leftOut).toEqual([`come-back@${rest}: ${why}`]);
  const without = await sweep('no-ids', [`come-back@${work}`, `leave@${work}`], sessionIn('2025-11-25', true));
  expect(without.leftOut).toEqual([`come-back@${work}: ${why}`]);
  expect(without.swept.results.map(({ point }) => point.name)).toEqual([`leave@${work}`]);
});
