/** What the journal has of messages that authorization refuses. */
import { afterEach, expect, it } from 'vitest';
import { mockServer, tool } from '../../../src/adapters/mock.ts';
import type { HttpMockServer, HttpOptions } from '../../../src/adapters/testing.ts';
import { INITIALIZE, Stranger } from './stranger.ts';

let server: HttpMockServer;
let stranger: Stranger;
const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list' } };

async function start(more: Partial<HttpOptions> = {}): Promise<void> {
  server = await mockServer({
    over: 'http',
    auth: true,
    onDifference: 'report',
    handlers: [tool('list', () => 'listed')],
    ...more,
  });
  stranger = new Stranger(server.url);
}
afterEach(() => server.finish());

const entries = () => server.journal.entries.map(({ method, status, session }) => ({ method, status, session }));

it('they have the status among the entries, and nothing else finds them', async () => {
  await start({ auth: { stepUp: [{ tool: 'list', scopes: ['files:read'] }] } });
  const first = server.journal.waitFor('initialize', { timeout: 60_000 });
  expect((await stranger.ask(undefined)).status).toBe(401);
  expect(entries()).toEqual([{ method: 'initialize', status: 401, session: undefined }]);
  expect([server.journal.requests(), server.received()]).toEqual([[], []]);
  const { access_token: token } = await stranger.tokens();
  expect((await stranger.ask(token)).status).toBe(200);
  expect(await first).toMatchObject({ session: 1, headers: { authorization: `Bearer ${token}` } });
  expect((await stranger.ask(token, call)).status).toBe(403);
  await expect(server.journal.waitFor('tools/call', { timeout: 0 })).rejects.toThrow(
    /Waited 0 ms for tools\/call: it did not come\.[\s\S]*initialize \(refused with 401\), initialize, tools\/call \(refused with 403\)/,
  );
  expect(entries().map(({ status }) => status)).toEqual([401, undefined, 403]);
});

it('a message that is served is there before its handler is called', async () => {
  let heard: unknown[] = [];
  await start({
    handlers: [
      tool('list', () => {
        heard = server.journal.requests('tools/call');
        return 'listed';
      }),
    ],
  });
  const { access_token: token } = await stranger.tokens();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'list',
  };
  const body = JSON.stringify({ ...call, params: { ...call.params, _meta } });
  const answers = await Promise.all([1, 2].map(() => fetch(server.url, { method: 'POST', headers, body })));
  for (const answer of answers) expect(await answer.text()).toContain('listed');
  expect(heard.length).toBeGreaterThan(0);
  expect(server.journal.requests('tools/call')).toHaveLength(2);
});

it('a message that a fault answers or drops is there as it was sent', async () => {
  await start({ faults: ['http-status:initialize:status=503,times=1', 'drop:ping'] });
  const { access_token: token } = await stranger.tokens();
  expect((await stranger.ask(token)).status).toBe(503);
  expect((await stranger.ask(token)).status).toBe(200);
  const gone = stranger.ask(token, { jsonrpc: '2.0', id: 3, method: 'ping' }).catch(() => undefined);
  await server.journal.waitFor('ping');
  const { failures } = await server.finish();
  expect(failures.every(({ kind }) => kind === 'unfired')).toBe(true);
  await gone;
  expect(entries().map(({ method, status }) => [method, status])).toEqual([
    ['initialize', undefined],
    ['initialize', undefined],
    ['ping', undefined],
  ]);
});

it('a request that comes twice at once, with a token and without, is told apart', async () => {
  await start();
  const { access_token: token } = await stranger.tokens();
  const answers = await Promise.all([undefined, token, undefined].map((one) => stranger.ask(one, INITIALIZE)));
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 401]);
  expect(server.journal.entries).toHaveLength(3);
  expect(server.journal.requests()).toMatchObject([{ headers: { authorization: `Bearer ${token}` } }]);
});
