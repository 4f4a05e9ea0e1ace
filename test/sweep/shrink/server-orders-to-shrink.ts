import type { Cassette } from '../../../src/cassette/cassette.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { cassetteText } from '../../../src/cassette/write/cassette-text.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { clientMessageOrder } from '../../../src/sweep/orders/client-message-order.ts';
import type { ServerUnderTest } from '../../../src/sweep/server/server-under-test-types.ts';
import { stdioServer } from '../../../src/sweep/server/stdio-server.ts';
import { failingServerOrder } from '../../../src/sweep/shrink/failing-server-order.ts';
import type { FailingProgram } from '../../../src/sweep/shrink/same-failure.ts';
import { type Shrunk, shrinkFailure } from '../../../src/sweep/shrink/shrink-failure.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
import { fixture } from '../../support/process.ts';

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
export const long: Cassette = parseCassette(
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

/** Lines of {@link long} with the messages of the client at these positions. */
export const linesOf = (...positions: number[]): number[] => {
  const messages = clientMessageOrder(long);
  return positions.map((position) => messages.find(({ message }) => message === position)!.line);
};
export const programOf = (target: ServerUnderTest): FailingProgram =>
  failingServerOrder({ target, clock, deadline: 3_000, ignore: [] });
/** `swept-server.js` with this bug. */
export const overStdio = (manner: string): ServerUnderTest => {
  const { command, args } = fixture('swept-server.js', manner);
  return stdioServer([command, ...args], clock);
};
export const shrink = (target: ServerUnderTest, positions: readonly number[]): Promise<Shrunk> =>
  shrinkFailure({
    cassette: long,
    lines: linesOf(...positions),
    program: programOf(target),
    budget: { time: 60_000 },
    clock,
  });
