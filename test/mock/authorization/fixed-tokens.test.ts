import { afterEach, expect, it } from 'vitest';
import { tokenRefused } from '../../../src/adapters/faults.ts';
import { mockServer, tool } from '../../../src/adapters/mock.ts';
import type { HttpMockServer, HttpOptions } from '../../../src/adapters/testing.ts';
import { Stranger } from './stranger.ts';

/** A call without a session, which the mock server refuses with 400 after its token was accepted. */
const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list' } };
const tokens = ['my-api-key', 'a.b~c+d/e=='];

let server: HttpMockServer;
let stranger: Stranger;
afterEach(() => server.finish());

async function start(more: Partial<HttpOptions> = {}): Promise<void> {
  const stepUp = [{ tool: 'list', scopes: ['files:read'] }];
  server = await mockServer({
    over: 'http',
    auth: { tokens, stepUp },
    onDifference: 'report',
    handlers: [tool('list', () => 'listed')],
    ...more,
  });
  stranger = new Stranger(server.url);
}

it.each(tokens)('%s is valid for every request, as often as it comes', async (token) => {
  await start();
  for (let i = 0; i < 2; i++) expect((await stranger.ask(token)).status).toBe(200);
  expect((await stranger.ask(token, call)).status).toBe(400);
});

it.each(['my-api-ke', 'my-api-key2', 'MY-API-KEY', undefined])('%s is refused', async (token) => {
  await start({ onUnused: 'report' });
  expect((await stranger.ask(token)).status).toBe(401);
});

it('is refused by a fault, and another one is not', async () => {
  await start({ faults: [tokenRefused({ on: 'tools/call' })] });
  const [first, second] = tokens;
  expect((await stranger.ask(first)).status).toBe(200);
  expect((await stranger.ask(first, call)).status).toBe(401);
  expect((await stranger.ask(first)).status).toBe(401);
  expect((await stranger.ask(second, call)).status).toBe(400);
  expect(server.fired.map(({ fault }) => fault)).toEqual(['token-refused']);
});
