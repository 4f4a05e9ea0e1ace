import { once } from 'node:events';
import { Agent, createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { ask } from '../../../../src/transports/http/client/client-exchange.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';

/** Asks a real server once for each pause, which the client's clock alone sees, and returns the connections of the requests. */
async function connectionsAfter(pauses: number[], answer: (response: ServerResponse) => void): Promise<number[]> {
  const ports: (number | undefined)[] = [];
  const server = createServer(({ socket }, response) => {
    ports.push(socket.remotePort);
    answer(response);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  let now = 0;
  const clock = { ...systemClock, now: () => now };
  for (const pause of pauses) {
    now += pause;
    await new Promise<void>((resolve) =>
      ask({
        upstream: parseUpstream(`http://127.0.0.1:${port}/mcp`),
        agent,
        clock,
        method: 'POST',
        path: '/mcp',
        headers: {},
        head: () => {},
        event: () => {},
        comment: () => {},
        body: () => {},
        over: () => setImmediate(resolve),
      }),
    );
  }
  return ports.map((one) => [...new Set(ports)].indexOf(one) + 1);
}

const unhinted = (response: ServerResponse) => {
  response.shouldKeepAlive = true;
  response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'max=100' }).end('{}');
};
const hinted = (seconds: number) => (response: ServerResponse) =>
  response.writeHead(200, { connection: 'keep-alive', 'keep-alive': `timeout=${seconds}, max=100` }).end('{}');

it('a connection is used again as long as no server would close it', async () => {
  expect(await connectionsAfter([0, 1_000, 3_900], unhinted)).toEqual([1, 1, 1]);
});

it('a connection is left when its server may be closing it', async () => {
  expect(await connectionsAfter([0, 4_100, 100], unhinted)).toEqual([1, 2, 2]);
});

it('the time that a server announces holds, but for its last second', async () => {
  expect(await connectionsAfter([0, 18_900, 19_100], hinted(20))).toEqual([1, 1, 2]);
  expect(await connectionsAfter([0, 900, 1_100], hinted(2))).toEqual([1, 1, 2]);
  expect(await connectionsAfter([0, 1], hinted(1))).toEqual([1, 2]);
});
