import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
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

it('the official suite finds nothing wrong with the authorization server of a mock server', async () => {
  await using server = await mockServer({ over: 'http', auth: true });
  await using suite = new Running(authorizationSuite(server.issuer!, server.url, await freePort()));
  const lines: string[] = [];
  while (!lines.at(-1)?.startsWith('Total:')) {
    lines.push(await suite.line());
    // Its user opens the address, and agrees.
    const { 0: address } = /^http\S*\/authorize\S*$/.exec(lines.at(-1)!) ?? [];
    if (address !== undefined) expect(await (await fetch(address)).text()).toContain('OK');
  }
  expect(lines.at(-1)).toBe('Total: 3 passed, 0 failed');
  expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/✓ authorization-code-grant: 1 passed/)]));
});
