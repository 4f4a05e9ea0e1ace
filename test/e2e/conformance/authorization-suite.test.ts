import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { Running } from '../../support/process.ts';
import { authorizationSuite } from './suite.ts';

/** The suite wants to be told a port, and takes no 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until something listens at a port: the suite prints its address before it does. */
async function untilListening(port: number): Promise<void> {
  const isThere = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
    });
  while (!(await isThere()));
}

it('the official suite finds nothing wrong with the authorization server of a mock server', async () => {
  await using server = await mockServer({ over: 'http', auth: true });
  const port = await freePort();
  await using suite = new Running(authorizationSuite(server.issuer!, server.url, port));
  const lines: string[] = [];
  while (!lines.at(-1)?.startsWith('Total:')) {
    lines.push(await suite.line());
    // Its user opens the address, and agrees.
    const { 0: address } = /^http\S*\/authorize\S*$/.exec(lines.at(-1)!) ?? [];
    if (address === undefined) continue;
    await untilListening(port);
    expect(await (await fetch(address)).text()).toContain('OK');
  }
  expect(lines.at(-1)).toBe('Total: 3 passed, 0 failed');
  expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/✓ authorization-code-grant: 1 passed/)]));
});
