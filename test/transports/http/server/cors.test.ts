import { request } from 'node:http';
import { expect, it } from 'vitest';
import { listen } from '../../../../src/transports/http/server/http-listener.ts';

async function listening() {
  const asked: string[] = [];
  const listener = await listen({
    hostname: '127.0.0.1',
    port: 0,
    path: '/mcp',
    allowed: ['app.test'],
    bodyMax: 10,
    serve({ method }, { answer, stream, end }) {
      asked.push(method);
      if (method !== 'GET') answer({ status: 200, headers: { 'mcp-session-id': 's' }, body: 'heard' });
      else {
        stream({});
        end();
      }
      return () => {};
    },
  });
  return { ...listener, asked, [Symbol.asyncDispose]: listener.close };
}

/** What a browser would be told: `fetch` sends no `Origin` of its own. */
function ask(url: string, method: string, headers: Record<string, string>, body = '') {
  return new Promise<{ status: number | undefined; cors: Record<string, unknown>; length: unknown }>(
    (resolve, reject) => {
      const asking = request(url, { method, headers }, (response) => {
        const cors = Object.entries(response.headers).filter(([name]) => /^(access-control-|vary)/.test(name));
        const length = response.headers['content-length'];
        response
          .resume()
          .once('end', () => resolve({ status: response.statusCode, cors: Object.fromEntries(cors), length }));
      });
      asking.once('error', reject).end(body);
    },
  );
}

const ORIGIN = 'http://localhost:5173';
const READS = {
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, Allow',
  vary: 'Origin',
};

it('a preflight of a page of this machine is answered, and reaches no server', async () => {
  await using one = await listening();
  const headers = {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,mcp-protocol-version,mcp-param-x',
  };
  expect(await ask(one.url, 'OPTIONS', headers)).toEqual({
    status: 204,
    length: undefined,
    cors: {
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'content-type,mcp-protocol-version,mcp-param-x',
      'access-control-max-age': '600',
      vary: 'Origin',
    },
  });
  const asks = { ...headers, 'access-control-request-private-network': 'true' };
  expect((await ask(one.url, 'OPTIONS', asks)).cors).toMatchObject({
    'access-control-allow-private-network': 'true',
  });
  expect(one.asked).toEqual([]);
});

it('a page of this machine may read every answer, also one that says no', async () => {
  await using one = await listening();
  const origin = { origin: ORIGIN };
  expect(await ask(one.url, 'POST', origin)).toMatchObject({ status: 200, cors: READS });
  expect(await ask(one.url, 'GET', origin)).toMatchObject({ status: 200, cors: READS });
  expect(await ask(new URL('/other', one.url).href, 'GET', origin)).toMatchObject({
    status: 404,
    cors: READS,
  });
  expect(await ask(one.url, 'POST', origin, 'x'.repeat(11))).toMatchObject({ status: 413, cors: READS });
});

it('a page under a name that was allowed may, too', async () => {
  await using one = await listening();
  const { cors } = await ask(one.url, 'POST', { origin: 'https://app.test' });
  expect(cors).toMatchObject({ 'access-control-allow-origin': 'https://app.test' });
});

it('a page of elsewhere, or without an origin of its own, may not, whatever it asks', async () => {
  await using one = await listening();
  for (const origin of ['https://evil.example', 'null'])
    for (const method of ['OPTIONS', 'POST', 'GET'])
      expect(await ask(one.url, method, { origin, 'access-control-request-method': 'POST' })).toMatchObject({
        status: 403,
        cors: {},
      });
  expect(one.asked).toEqual([]);
});

it('who is no page hears nothing of it, and OPTIONS that is no preflight is a method like any other', async () => {
  await using one = await listening();
  expect((await ask(one.url, 'POST', {})).cors).toEqual({});
  expect(await ask(one.url, 'OPTIONS', { origin: ORIGIN })).toMatchObject({ status: 200 });
  expect(one.asked).toEqual(['POST', 'OPTIONS']);
});
