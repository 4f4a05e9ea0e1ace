import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { ask } from '../../../../src/transports/http/client/client-exchange.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';

const LIMIT = 100;

/** What is told of an answer with this body, of which no more is held than the limit. */
async function told(type: string, body: string): Promise<unknown[]> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': type }).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const all: unknown[] = [];
  await new Promise<void>((resolve) =>
    ask({
      upstream: parseUpstream(`http://127.0.0.1:${port}/mcp`),
      agent: new Agent(),
      clock: systemClock,
      method: 'POST',
      path: '/mcp',
      headers: {},
      holdBytesMax: LIMIT,
      head: () => {},
      event: ({ data, partial }) => all.push([data?.length, partial === true]),
      comment: () => {},
      body: (data, isCut) => all.push([data.length >= LIMIT, isCut]),
      over: ({ how }) => {
        all.push(how);
        resolve();
      },
    }),
  );
  server.close();
  server.closeAllConnections();
  return all;
}

it('a body that just fits is told whole, and one that is too long by a byte is cut, and its connection left', async () => {
  expect(await told('application/json', 'x'.repeat(LIMIT))).toEqual([[true, false], 'end']);
  expect(await told('application/json', 'x'.repeat(LIMIT + 1))).toEqual([[true, true], 'fin']);
});

it('an event that just fits is told whole, and of one that is too long the beginning; the stream goes on', async () => {
  const event = (length: number) => `data: ${'x'.repeat(length)}\n\n`;
  expect(await told('text/event-stream', event(LIMIT) + event(LIMIT + 1) + event(1))).toEqual([
    [LIMIT, false],
    [LIMIT, true],
    [1, false],
    'end',
  ]);
});
