import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { META } from '../../../src/protocol/meta.ts';
import { httpServer } from '../../../src/sweep/server/connect-to-http-server.ts';
import { misbehavioursOver } from '../../../src/sweep/server/misbehaviour-table.ts';
import type { ServerUnderTest } from '../../../src/sweep/server/server-under-test-types.ts';
import { stdioServer } from '../../../src/sweep/server/stdio-server.ts';
import { SERVER_PAIR_VERDICTS } from '../../../src/sweep/server/two-misbehaviours-per-session.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { server as httpProcess } from '../../e2e/http/processes.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
import { fixture, Running } from '../../support/process.ts';
import { reasonsOf, sweepOf, verdictsOf } from './swept-server.ts';

const clientInfo = { name: 'swept', version: '1' };
const answer = (id: number, result: object) => server({ jsonrpc: '2.0', id, result });
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

const LEGACY = cassette(
  client(request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })),
  answer(0, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: clientInfo }),
  client(notification('initialized')),
  client(call(1, 'weather', { city: 'Oslo' })),
  answer(1, text('Oslo: sunny')),
);

const WORK = cassette(
  ...LEGACY.events.slice(0, 3).map(({ frame }) => frame),
  client(call(1, 'work')),
  answer(1, text('worked')),
);

const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientInfo]: clientInfo, [META.clientCapabilities]: {} };
const MODERN = cassette(
  client(request(1, 'tools/call', { name: 'echo', arguments: { message: 'one' }, _meta })),
  answer(1, { ...text('one'), resultType: 'complete' }),
  client(request(2, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 }, _meta })),
  answer(2, { ...text('3'), resultType: 'complete' }),
);

const stdio = (...args: string[]) => stdioServer([process.execPath, ...args], systemClock);
const http = (url: string) => httpServer({ upstream: parseUpstream(url), clock: systemClock });
const modern = join(import.meta.dirname, '..', '..', 'e2e', 'servers', 'modern.js');

/** Sweeps a server at one message, or at all, and names each point with a bad verdict, and the reason. */
async function accusationsOf(target: ServerUnderTest, played: Cassette, message?: number): Promise<string[]> {
  const points = message && misbehavioursOver(target.transport).map((name) => `${name}@${message}`);
  const { results } = await sweepOf(target, { played, deadline: 5_000, ...(points && { points }) });
  expect(results.length).toBeGreaterThan(15);
  expect(results.filter(({ verdict }) => verdict === 'unreached')).toEqual([]);
  return results
    .filter(({ verdict }) => SERVER_PAIR_VERDICTS.bad.has(verdict))
    .map(({ point, verdict, why }) => `${point.name} ${verdict}: ${why}`);
}

describe('a server on an official SDK is not accused of anything', () => {
  // Over stdio each point starts two processes: one message of each session shows what is special there.
  it('SDK 1 over stdio', async () => {
    expect(await accusationsOf(stdio(...fixture('documents/server.js').args!), LEGACY, 3)).toEqual([]);
  });

  it('SDK 1 over stdio, for a call that takes a while', async () => {
    expect(await accusationsOf(stdio(...fixture('swept-sdk-work.js').args!), WORK, 3)).toEqual([]);
  });

  it('SDK 2 over stdio, of 2026-07-28', async () => {
    expect(await accusationsOf(stdio(modern), MODERN, 1)).toEqual([]);
  });

  it('SDK 1 over HTTP', async () => {
    await using running = await httpProcess('sdk-1.js', 'json');
    expect(await accusationsOf(http(running.url.href), LEGACY)).toEqual([]);
  });

  it('SDK 2 over HTTP, of 2026-07-28', async () => {
    await using running = await httpProcess('modern.js');
    expect(await accusationsOf(http(running.url.href), MODERN)).toEqual([]);
  });
});

const ADDED = cassette(
  ...LEGACY.events.slice(0, 3).map(({ frame }) => frame),
  client(call(1, 'add', { a: 1, b: 2 })),
  answer(1, text('3')),
);

it.each([
  ['1', ['sdk-1.js', 'json'], LEGACY],
  ['1, by events', ['sdk-1.js', 'sse'], LEGACY],
  ['2', ['modern.js', 'sessions'], ADDED],
] as const)('a server on SDK %s takes the DELETE of another client rightly', async (_, [name, ...args], played) => {
  await using running = await httpProcess(name, ...args);
  const points = ['delete-unknown-session@3', 'delete-other-session@3'];
  const swept = await sweepOf(http(running.url.href), { played, points });
  expect(verdictsOf(swept), reasonsOf(swept)).toEqual([`${points[0]} refused`, `${points[1]} passed`]);
});

const SLOW = cassette(
  ...LEGACY.events.slice(0, 3).map(({ frame }) => frame),
  client(call(1, 'weather', { city: 'Oslo' })),
  answer(1, text('Oslo: sunny')),
);

it.each(['1', '2'])('a server on SDK %s over HTTP takes a cancel by a POST of its own rightly', async (major) => {
  await using running = new Running(fixture('concurrent-server.js', 'sound', major, 'http'));
  const points = ['cancel@3', 'cancel-during@3'];
  const swept = await sweepOf(http(await running.line()), { played: SLOW, points });
  // Without sessions, each request meets a server of its own, which knows no request to cancel.
  const verdicts = major === '1' ? ['refused', 'refused'] : ['passed', 'ignored'];
  expect(verdictsOf(swept), reasonsOf(swept)).toEqual(points.map((point, at) => `${point} ${verdicts[at]}`));
});

it('a server on SDK 1 that dies when its tool is aborted crashes at cancel-during', async () => {
  const target = stdio(...fixture('swept-sdk-work.js', 'dies').args!);
  const points = ['cancel@3', 'cancel-during@3', 'cancel-late@3'];
  const swept = await sweepOf(target, { played: WORK, points });
  expect(verdictsOf(swept), reasonsOf(swept)).toEqual([
    // On a busy machine, the server reads the cancel apart from its request: the tool has begun then.
    expect.stringMatching(/^cancel@3 (refused|crashed)$/),
    'cancel-during@3 crashed',
    'cancel-late@3 passed',
  ]);
});
