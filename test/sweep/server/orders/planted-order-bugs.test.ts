import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../../src/cassette/cassette.ts';
import type { Frame } from '../../../../src/channel/frame.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { META } from '../../../../src/protocol/meta.ts';
import { clientMessageOrder } from '../../../../src/sweep/orders/client-message-order.ts';
import { concurrentMessages } from '../../../../src/sweep/orders/concurrent-messages.ts';
import { drawOrders } from '../../../../src/sweep/orders/draw-orders.ts';
import { httpServer } from '../../../../src/sweep/server/connect-to-http-server.ts';
import { serverOrderCase } from '../../../../src/sweep/server/orders/server-order-cases.ts';
import { sweepServerOrders } from '../../../../src/sweep/server/orders/sweep-server-orders.ts';
import type { ServerUnderTest } from '../../../../src/sweep/server/server-under-test-types.ts';
import { stdioServer } from '../../../../src/sweep/server/stdio-server.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';
import { call, cassette, client, request, server } from '../../../support/conversation.ts';
import { fixture, Running } from '../../../support/process.ts';
import { CITIES, clientInfo, OPENING, text, three } from './three-calls.ts';

const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientInfo]: clientInfo, [META.clientCapabilities]: {} };
/** The same in 2026-07-28: messages 1, 2 and 3. */
const modern = cassette(
  ...CITIES.map((city, id) => client(request(id + 1, 'tools/call', { name: 'weather', arguments: { city }, _meta }))),
  ...CITIES.map((city, id) => text(id + 1, `${city}: sunny`)),
);

interface Swept {
  played?: Cassette;
  /** Positions of the messages in their order. Absent: several orders. */
  only?: string;
  seed?: number;
  /** Duration of a call over HTTP, in milliseconds. */
  duration?: number;
}

async function sweepOf(target: ServerUnderTest, { played = three, only, seed = 1 }: Swept = {}) {
  const messages = clientMessageOrder(played);
  const { orders } = drawOrders(concurrentMessages(messages), { count: 4, seed });
  const points = orders.map(serverOrderCase).filter(({ name }) => only === undefined || name === `order@${only}`);
  const room = target.transport === 'http' ? { busy: 1, all: 1 } : { busy: 2, all: 4 };
  const { results } = await sweepServerOrders({
    cassette: played,
    target,
    points,
    messages,
    clock: systemClock,
    room,
    deadline: 5_000,
  });
  return results.map(({ point, verdict, why, cause }) => ({
    name: point.name,
    title: point.title,
    verdict,
    why,
    cause,
  }));
}

async function overHttp(manner: string, major: string, { duration = 200, ...swept }: Swept = {}) {
  await using running = new Running(fixture('concurrent-server.js', manner, major, 'http', `${duration}`));
  const url = await running.line();
  return await sweepOf(httpServer({ upstream: parseUpstream(url), clock: systemClock }), swept);
}

function overStdio(manner: string, major: string, swept: Swept = {}) {
  const { command, args } = fixture('concurrent-server.js', manner, major);
  return sweepOf(stdioServer([command, ...args], systemClock), swept);
}

const BUGS: [manner: string, order: string, verdict: string, why: string][] = [
  ['by-position', '4,3', 'corrupted', 'that is the answer to tools/call "weather" of line 5 (JSON-RPC 2.0, 5'],
  ['mixes', '5,4', 'corrupted', 'sessions with one request after the other (no rule; surprising)'],
  ['hangs-in-an-order', '5,4', 'hung', 'tools/call "weather" is not answered on the same connection'],
];

// Most of the time, these wait for a server.
describe.concurrent.each(['1', '2'])('a server on SDK %s with a bug', (major) => {
  it.each([...BUGS, ['dies-of-an-order', '5,4', 'crashed', 'its process ended with 3']])(
    'that %s is found at order@%s over stdio: %s',
    async (manner, only, verdict, why) => {
      expect(await overStdio(manner, major, { only })).toEqual([
        {
          name: `order@${only}`,
          title: expect.stringContaining(' before '),
          verdict,
          why: expect.stringContaining(why),
          cause: expect.any(String),
        },
      ]);
    },
  );

  it.each([...BUGS, ['dies-of-an-order', '5,4', 'crashed', 'nobody can connect to it any more']])(
    'that %s is found at order@%s over HTTP: %s',
    async (manner, only, verdict) => {
      const [found] = await overHttp(manner, major, { only });
      expect(found).toMatchObject({ name: `order@${only}`, verdict, why: expect.any(String) });
    },
  );
});

it.each(BUGS.filter(([manner]) => manner !== 'mixes'))(
  'a server whose calls take 3 ms over HTTP, with the bug that %s, is found at order@%s: %s',
  async (manner, only, verdict) => {
    expect(await overHttp(manner, '1', { only, duration: 3 })).toMatchObject([{ name: `order@${only}`, verdict }]);
  },
);

describe.concurrent.each([1, 2])('a server on an official SDK is accused of nothing, with seed %i', (seed) => {
  const verdictsOf = (results: Awaited<ReturnType<typeof sweepOf>>) => [
    ...new Set(results.map(({ verdict }) => verdict)),
  ];

  it.each([
    ['1', three],
    ['2', three],
    ['2', modern],
  ])('SDK %s', async (major, played) => {
    expect(verdictsOf(await overStdio('sound', major, { seed, played }))).toEqual(['passed']);
    expect(verdictsOf(await overHttp('sound', major, { seed, played }))).toEqual(['passed']);
  });
});

it('an answer that depends on the order of the calls is no failure, and has one reason for all orders', async () => {
  const found = await overStdio('numbers', '1');
  expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['depends']));
  const oslo = found.filter(({ cause }) => cause === 'tools/call "weather" of line 5 depends on the order');
  expect(oslo.length).toBeGreaterThan(0);
  expect(new Set(oslo.map(({ why }) => why))).toEqual(
    new Set([
      'tools/call "weather" of line 5 gets another answer on the same connection, for example with /result/content/0/text ("2. Oslo" → "1. Oslo"), as when the requests are made one after the other. A server may take requests in flight at once in any order',
    ]),
  );
});

describe('calls of which each has to see the one before', () => {
  const notes = cassette(
    ...OPENING,
    client(call(1, 'note', { note: 'one' })),
    client(call(2, 'notes')),
    text(1, '1 notes'),
    text(2, 'one'),
  );

  it('may be answered in either order', async () => {
    expect(await overStdio('keeps-notes', '1', { played: notes })).toMatchObject([
      { name: 'order@4,3', verdict: 'depends' },
    ]);
  });
});

describe('answers to two questions of a server', () => {
  const UNIT = { type: 'object', properties: { unit: { type: 'string' } } };
  const question = (id: number, city: string) =>
    server(
      request(id, 'elicitation/create', { message: `Which unit for ${city}?`, mode: 'form', requestedSchema: UNIT }),
    );
  const unit = (id: number, unit: string): Frame =>
    client({ jsonrpc: '2.0', id, result: { action: 'accept', content: { unit } } });
  const asked = cassette(
    ...OPENING,
    client(call(1, 'ask', { city: 'Lima' })),
    client(call(2, 'ask', { city: 'Oslo' })),
    question(0, 'Lima'),
    question(1, 'Oslo'),
    unit(0, 'K'),
    unit(1, 'C'),
    text(1, 'Lima: K'),
    text(2, 'Oslo: C'),
    client(call(3, 'notes')),
    text(3, ''),
  );

  it('come in the other order, which a sound server stands', async () => {
    expect(await overStdio('sound', '1', { played: asked, only: '6,5' })).toMatchObject([{ verdict: 'passed' }]);
  });

  it('show a server that takes them by their arrival', async () => {
    expect(await overStdio('by-arrival', '1', { played: asked, only: '6,5' })).toMatchObject([
      { name: 'order@6,5', verdict: 'corrupted' },
    ]);
  });
});
