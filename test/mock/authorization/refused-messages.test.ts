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

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends a call that needs no session. */
function post(token: string, id: number): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'list',
  };
  const body = JSON.stringify({ ...call, id, params: { ...call.params, _meta } });
  return fetch(server.url, { method: 'POST', headers, body });
}

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
  const answers = await Promise.all([1, 2].map((id) => post(token, id)));
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

const TOKEN = 'k';
/** Calls until a call is answered with 200, at most three times, each with its own id. */
async function callUntilAnswered(): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (let id = 2; id < 5 && outcomes.at(-1) !== 200; id++)
    outcomes.push(
      await post(TOKEN, id).then(
        ({ status }) => status,
        () => 'lost',
      ),
    );
  return outcomes;
}

it.each([
  ['http-status', { status: 503 }, 503],
  ['http-status', { status: 401 }, 401],
  ['cut', {}, 'lost'],
  ['reset', {}, 'lost'],
  ['corrupt', {}, 400],
  ['latency', { delay: 1 }, 200],
] as const)('a call that meets %s %o is in the journal as without authorization', async (fault, values, first) => {
  const received: unknown[] = [];
  for (const auth of [false, { tokens: [TOKEN] }]) {
    const rule = { do: fault, ...values, when: { from: 'client', method: 'tools/call', nth: 1 } } as const;
    await start({ auth, faults: [rule], handlers: [tool('list', () => 'listed')] });
    const outcomes = await callUntilAnswered();
    expect(outcomes[0]).toBe(first);
    expect(server.fired).toHaveLength(1);
    expect(server.journal.requests('tools/call', { name: 'list' })).toHaveLength(outcomes.length);
    received.push(entries());
    await server.finish();
  }
  expect(received[1]).toEqual(received[0]);
});

it.each(['drop', 'stall'])('a call that %s keeps from the server is there while its client waits', async (fault) => {
  const rule = { do: fault, when: { from: 'client', method: 'tools/call' } };
  await start({ auth: { tokens: [TOKEN] }, faults: [rule as never] });
  const waiting = post(TOKEN, 2).catch(() => undefined);
  expect(await server.journal.waitFor('tools/call')).toMatchObject({ params: { name: 'list' } });
  await server.finish();
  await waiting;
});

it('a dropped call with a wrong token has the status of its token', async () => {
  await start({ auth: { tokens: [TOKEN] }, faults: [{ do: 'drop', when: { from: 'client', method: 'tools/call' } }] });
  const waiting = post('wrong', 2).catch(() => undefined);
  await new Promise<void>((resolve) => {
    const stop = server.journal.watch(() => {
      stop();
      resolve();
    });
  });
  expect(entries()).toMatchObject([{ method: 'tools/call', status: 401 }]);
  expect(server.journal.requests('tools/call')).toEqual([]);
  await server.finish();
  await waiting;
});

it.each([
  ['token-refused', 401],
  ['insufficient-scope', 403],
])('a call that %s refuses has its status among the entries', async (fault, status) => {
  await start({ auth: { tokens: [TOKEN, 'other'] }, faults: [`${fault}:tools/call`] });
  // The fault refuses the second call without firing again.
  for (const id of [2, 3]) expect((await post(TOKEN, id)).status).toBe(status);
  expect((await post('other', 4)).status).toBe(200);
  expect(entries().map((one) => one.status)).toEqual([status, status, undefined]);
  expect(server.journal.requests('tools/call')).toMatchObject([{ id: 4 }]);
});

it('a request that comes twice at once, with a token and without, is told apart', async () => {
  await start();
  const { access_token: token } = await stranger.tokens();
  const answers = await Promise.all([undefined, token, undefined].map((one) => stranger.ask(one, INITIALIZE)));
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 401]);
  expect(server.journal.entries).toHaveLength(3);
  expect(server.journal.requests()).toMatchObject([{ headers: { authorization: `Bearer ${token}` } }]);
});
