import { afterEach, expect, it } from 'vitest';
import { tokenRefused } from '../../../src/adapters/faults.ts';
import { mockServer, tool } from '../../../src/adapters/mock.ts';
import type { HttpMockServer, HttpOptions } from '../../../src/adapters/testing.ts';
import { INITIALIZE, Stranger } from './stranger.ts';

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

/** Sends `initialize`, and returns the status and the text of the error. */
async function ask(url: string, authorization?: string): Promise<[status: number, text: string]> {
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(INITIALIZE), headers });
  const { error_description: text } = (await response.json()) as { error_description: string };
  return [response.status, text];
}

it.each([`Bearer ${tokens[0]}`, undefined])('is refused in the query string, with the header %s', async (header) => {
  await start({ onUnused: 'report', onDifference: 'fail' });
  const why = 'The URI query string has an access token, which the specification forbids: send it in a header';
  expect(await ask(`${server.url}?access_token=${tokens[0]}`, header)).toEqual([400, why]);
  const text = `The client sent a POST to /mcp, refused with HTTP 400: ${why}.`;
  expect((await server.finish()).failures).toMatchObject([{ kind: 'differs', text }]);
});

it('is refused in a header that is not Bearer, with the reason', async () => {
  await start({ onUnused: 'report' });
  const why = 'The Authorization header is not "Bearer", a space and an access token';
  expect(await ask(server.url, tokens[0])).toEqual([401, why]);
});
