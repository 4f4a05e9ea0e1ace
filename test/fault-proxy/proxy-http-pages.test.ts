import { expect, it } from 'vitest';
import { httpFaultProxy } from '../../src/fault-proxy/http-fault-proxy.ts';
import { parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { listen } from '../../src/transports/http/server/http-listener.ts';
import { parseUpstream } from '../../src/transports/http/upstream/parse-upstream.ts';

/** A mock server behind its faults, and the origins of those that it heard of. */
async function mock(servesPages: boolean) {
  const origins: unknown[] = [];
  const own = { hostname: '127.0.0.1', port: 0 };
  const listener = await listen({
    ...own,
    path: '/mcp',
    allowed: [],
    bodyMax: 100,
    serve({ headers }, { answer }) {
      origins.push(headers.origin);
      answer({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' });
      return () => {};
    },
  });
  const proxy = await httpFaultProxy({
    upstream: parseUpstream(listener.url),
    listen: own,
    allowed: ['app.test'],
    clock: systemClock,
    servesPages,
    faults: { rules: [parseShortRule('http-status::status=503,times=1', 'http')], seed: 1 },
    trouble() {},
  });
  return {
    origins,
    ask: async (method: string, headers: Record<string, string>) => {
      const body = method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}' : null;
      const response = await fetch(`${proxy.origin}/mcp`, { method, headers, body });
      await response.text();
      return [response.status, response.headers.get('access-control-allow-origin')];
    },
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await listener.close();
    },
  };
}

const PREFLIGHT = { 'access-control-request-method': 'POST' };

it('a page may read what a fault answers, and its preflight counts for no fault', async () => {
  await using one = await mock(true);
  const origin = 'http://app.test:5173';
  expect(await one.ask('OPTIONS', { origin, ...PREFLIGHT })).toEqual([204, origin]);
  expect(await one.ask('POST', { origin })).toEqual([503, origin]);
  expect(await one.ask('POST', { origin })).toEqual([200, origin]);
  expect(one.origins).toEqual([undefined]);
});

it('before a server that lives, the server decides who may read', async () => {
  await using one = await mock(false);
  const origin = 'http://localhost:5173';
  expect(await one.ask('POST', { origin })).toEqual([503, null]);
  expect(await one.ask('POST', { origin })).toEqual([200, origin]);
  expect(one.origins).toEqual([origin]);
});
