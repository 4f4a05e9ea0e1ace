import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { cassetteText } from '../../../src/cassette/write/cassette-text.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { clientMessageOrder } from '../../../src/sweep/orders/client-message-order.ts';
import { httpServer } from '../../../src/sweep/server/connect-to-http-server.ts';
import type { ServerUnderTest } from '../../../src/sweep/server/server-under-test-types.ts';
import { stdioServer } from '../../../src/sweep/server/stdio-server.ts';
import { failingServerOrder } from '../../../src/sweep/shrink/failing-server-order.ts';
import { shrinkFailure } from '../../../src/sweep/shrink/shrink-failure.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
import { fixture, Running } from '../../support/process.ts';

const clientInfo = { name: 'app', version: '1' };
const text = (id: number, value: string) =>
  server({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: value }] } });
const handshake = [
  client(request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })),
  server({
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: clientInfo },
  }),
  client(notification('initialized')),
];
const CITIES = ['Lima', 'Oslo'];
/** Two calls at once, which are messages 5 and 6 of the client, among others. */
const long = parseCassette(
  cassetteText(
    cassette(
      ...handshake,
      ...[11, 12].flatMap((id) => [client(request(id, 'ping')), server({ jsonrpc: '2.0', id, result: {} })]),
      ...CITIES.map((city, id) => client(call(id + 1, 'weather', { city }))),
      ...CITIES.map((city, id) => text(id + 1, `${city}: sunny`)),
      ...[13, 14].flatMap((id) => [client(request(id, 'ping')), server({ jsonrpc: '2.0', id, result: {} })]),
    ),
  ),
  'long.yaml',
);

const linesOf = (...positions: number[]) => {
  const messages = clientMessageOrder(long);
  return positions.map((position) => messages.find(({ message }) => message === position)!.line);
};
const programOf = (target: ServerUnderTest) => failingServerOrder({ target, clock, deadline: 3_000, ignore: [] });
const overStdio = (manner: string) => {
  const { command, args } = fixture('swept-server.js', manner);
  return stdioServer([command, ...args], clock);
};
const shrink = (target: ServerUnderTest, positions: readonly number[]) =>
  shrinkFailure({
    cassette: long,
    lines: linesOf(...positions),
    program: programOf(target),
    budget: { time: 60_000 },
    clock,
  });

describe('an order of the messages of a client', () => {
  it.concurrent.each([
    ['answers-by-position', [6, 5], 'corrupted', 'a request gets the answer to another one'],
    ['dies-of-an-order', [6, 5], 'crashed', 'its process ended with 3, and the client was there'],
  ])('that %s fails with is the same with two calls', async (manner, positions, verdict, cause) => {
    const { observation, messages, messagesBefore } = await shrink(overStdio(manner), positions);
    expect(observation).toMatchObject({ point: 'order@4,3', verdict, cause, isBad: true });
    expect([messagesBefore, messages]).toEqual([long.events.length, 7]);
  });

  it('that a server over HTTP fails with is the same with two calls', async () => {
    await using running = new Running(fixture('concurrent-server.js', 'by-position', '1', 'http'));
    const target = httpServer({ upstream: parseUpstream(await running.line()), clock });
    const { observation, messages } = await shrink(target, [6, 5]);
    expect([observation.point, observation.verdict, messages]).toEqual(['order@4,3', 'corrupted', 7]);
  });

  it('is no failure of a server that stands it', async () => {
    await expect(shrink(overStdio('none'), [6, 5])).rejects.toMatchObject({ code: 'SHRINK_NO_FAILURE' });
  });

  it('cannot be tried with a cassette that does not have it', async () => {
    const [early, passed] = linesOf(6, 5);
    const program = programOf(overStdio('none'));
    expect(await program.attempt(long, [early!, 1], true)).toBeUndefined();
    expect(await program.attempt(long, [passed!, early!], true)).toBeUndefined();
  });
});
