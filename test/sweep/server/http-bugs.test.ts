import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { httpServer } from '../../../src/sweep/server/connect-to-http-server.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
import { fixture, Running } from '../../support/process.ts';
import { reasonsOf, sweepOf, verdictsOf } from './swept-server.ts';

const text = (id: number, value: string) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: value }] },
});
const session: Cassette = cassette(
  client(
    request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }),
  ),
  server({
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'swept', version: '1' } },
  }),
  client(notification('initialized')),
  client(call(1, 'note', { text: 'one' })),
  server(text(1, 'one noted')),
  client(call(2, 'work')),
  server(text(2, 'worked')),
);
const [initialized, note, work] = [2, 3, 4];

const sweepBug = async (points: readonly string[] | undefined, ...bug: string[]) => {
  await using running = new Running(fixture('swept-http-server.js', ...bug));
  const url = await running.line();
  const target = httpServer({ upstream: parseUpstream(url), clock: systemClock });
  return await sweepOf(target, { played: session, ...(points && { points }) });
};

describe('a server over HTTP with a bug', () => {
  it.concurrent.each([
    ['dies-of-no-json', `not-json@${note}`, 'crashed'],
    ['hangs-after-no-json', `not-json@${note}`, 'hung'],
    ['answers-no-json-with-500', `not-json@${note}`, 'ignored'],
    ['takes-any-session', `unknown-session@${note}`, 'ignored'],
    ['takes-any-session', `unknown-session@${initialized}`, 'ignored'],
    ['takes-any-revision', `unknown-revision@${initialized}`, 'ignored'],
    ['answers-unknown-sessions-with-500', `unknown-session@${initialized}`, 'ignored'],
    ['answers-unknown-sessions-with-500', `unknown-session@${note}`, 'ignored'],
    ['takes-any-revision', `unknown-revision@${note}`, 'ignored'],
    ['dies-of-half-a-body', `truncate@${note}`, 'crashed'],
    ['locks-while-it-works', `leave@${work}`, 'hung'],
    ['hangs-on-equal-ids', `duplicate@${work}`, 'hung'],
    ['dies-when-its-client-leaves', `leave@${work}`, 'crashed'],
    ['dies-when-its-client-leaves', `reset@${work}`, 'crashed'],
    ['ends-every-session-on-any-delete', `delete-unknown-session@${note}`, 'corrupted'],
    ['ends-every-session-on-any-delete', `delete-other-session@${note}`, 'corrupted'],
    ['answers-any-delete-with-200', `delete-unknown-session@${note}`, 'ignored'],
    ['hangs-on-a-delete', `delete-unknown-session@${note}`, 'ignored'],
    ['dies-of-an-unknown-delete', `delete-unknown-session@${work}`, 'crashed'],
    ['keeps-ended-sessions', `delete-other-session@${note}`, 'ignored'],
    ['dies-of-an-early-cancel', `cancel-early@${note}`, 'crashed'],
    ['hangs-after-a-late-cancel', `cancel-late@${note}`, 'hung'],
    ['echoes-any-version', 'unknown-protocol-version@1', 'corrupted'],
    ['ends-the-oldest-session-on-a-delete', `delete-other-session@${note}`, 'corrupted'],
  ])('that %s is found at %s: %s', async (bug, point, verdict) => {
    const swept = await sweepBug([point], bug);
    expect(verdictsOf(swept), reasonsOf(swept)).toEqual([`${point} ${verdict}`]);
  });
});

it.concurrent.each([
  ['none', 'refused'],
  ['answers-unknown-sessions-with-400', 'refused'],
  ['issues-no-session', 'passed'],
])('an unknown session is taken rightly by a server with %s: %s', async (bug, verdict) => {
  const points = [initialized, note].map((message) => `unknown-session@${message}`);
  expect(verdictsOf(await sweepBug(points, bug))).toEqual(points.map((point) => `${point} ${verdict}`));
});

it.concurrent.each(['none', 'answers-one-of-two'])(
  'one answer to two requests with one id is enough, from a server with %s',
  async (bug) => {
    expect(verdictsOf(await sweepBug([`duplicate@${work}`], bug))).toEqual([`duplicate@${work} passed`]);
  },
);

it.concurrent.each([
  ['none', 'refused', 'passed'],
  ['ends-no-session', 'refused', 'passed'],
  ['issues-no-session', 'passed', 'passed'],
])('the end of the session of another client is taken rightly by a server with %s', async (bug, unknown, other) => {
  const points = [`delete-unknown-session@${note}`, `delete-other-session@${note}`];
  const swept = await sweepBug(points, bug);
  expect(verdictsOf(swept), reasonsOf(swept)).toEqual([`${points[0]} ${unknown}`, `${points[1]} ${other}`]);
});

it.concurrent.each([
  ['answers-any-delete-with-200', 'it answers the DELETE with HTTP status 200, not 404, 400 or 405'],
  ['hangs-on-a-delete', 'it does not answer the DELETE'],
])('the reason for a server that %s names the DELETE', async (bug, why) => {
  const { results } = await sweepBug([`delete-unknown-session@${note}`], bug);
  expect(results[0]?.why).toBe(`${why} (Base Protocol, Transports, "Streamable HTTP", "Session management")`);
});

it('a second client that gets no session deletes none, which is not tested', async () => {
  const { results } = await sweepBug([`delete-other-session@${note}`], 'issues-no-second-session');
  expect(results).toMatchObject([
    {
      verdict: 'unreached',
      why: 'the misbehaviour changed nothing: another client got no session of its own from the server',
    },
  ]);
});

it('a server over HTTP without a bug fails at no point', async () => {
  const { results } = await sweepBug(undefined);
  const bad = results.filter(({ verdict }) => !['passed', 'refused'].includes(verdict));
  expect(bad.map(({ point, verdict, why }) => `${point.name} ${verdict}: ${why}`)).toEqual([]);
  expect(results.length).toBeGreaterThan(40);
});

it('what comes after the end of a server is unreached', async () => {
  const { results } = await sweepBug([`not-json@${note}`, `not-json@${work}`], 'dies-of-no-json');
  expect(results.map(({ verdict }) => verdict).sort()).toEqual(['crashed', 'unreached']);
});

it('a misbehaviour that changes nothing is not tested', async () => {
  await using running = new Running(fixture('swept-http-server.js'));
  const target = httpServer({ upstream: parseUpstream(await running.line()), clock: systemClock });
  const [opened, asked] = [session.events.slice(0, 3), call(2, 'work', { pad: ' '.repeat(4 * 1024 * 1024) })];
  const played = { ...session, events: [...opened, ...cassette(client(asked), server(text(2, 'worked'))).events] };
  const { results } = await sweepOf(target, { played, points: ['oversize@3'] });
  expect(results).toMatchObject([
    {
      verdict: 'unreached',
      why: expect.stringMatching(
        /^the misbehaviour changed nothing: the message had \d+ bytes already, and "bytes" is \d+$/,
      ),
    },
  ]);
});
