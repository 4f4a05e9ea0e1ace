import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { CONTROL_BODY_BYTES_MAX, startControlApi } from '../../../src/mock/control/control-api-server.ts';
import { type ServerControl, WAIT_MS_MAX } from '../../../src/mock/control/control-operations.ts';
import { ROUTES } from '../../../src/mock/control/control-routes.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { controlled } from './controlled.ts';
import { ask } from './described-api.ts';

const free = freeNames(temporaryFolder());
const start = () => controlled(free());
const JSON_TYPE = { 'content-type': 'application/json' };

/** A request with the headers that a browser, or a stranger, would send: `fetch` does not let us write them. */
function statusOf(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    asked.once('error', reject);
    asked.end();
  });
}

describe('the control API', () => {
  it('is for this machine alone', async () => {
    const { controlUrl } = await start();
    for (const path of [...Object.keys(ROUTES), '/none']) {
      expect(await statusOf(controlUrl + path, { host: 'evil.example' })).toBe(403);
      expect(await statusOf(controlUrl + path, { origin: 'http://evil.example' })).toBe(403);
      expect(await statusOf(controlUrl + path, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(
        403,
      );
    }
    expect(await statusOf(`${controlUrl}/reset`, { origin: 'http://evil.example' }, 'POST')).toBe(403);
    expect(await statusOf(`${controlUrl}/health`, { origin: 'http://localhost:3000' })).toBe(200);
    const refused = await fetch(`${controlUrl}/health`, { headers: { origin: 'http://evil.example' } });
    expect(await refused.json()).toEqual({
      error: {
        code: 'HTTP_REQUEST_REFUSED',
        message: 'Origin is "http://evil.example", which is not this machine.',
        next: 'Use a URL with localhost or 127.0.0.1.',
      },
    });
  });

  it('lists its paths where it has not the one that is asked for', async () => {
    const { api } = await start();
    for (const path of ['/journl', '/', '/constructor', '/health/']) {
      const { status, body } = await api(`GET ${path}`);
      expect([status, body.error.code]).toEqual([404, 'CONTROL_UNKNOWN_PATH']);
      for (const known of Object.keys(ROUTES)) expect(body.error.next).toContain(known);
    }
    expect((await api('GET /journl')).body.error.next).toMatch(/^Did you mean \/journal\?/);
  });

  it('says which methods a path has', async () => {
    const { api } = await start();
    for (const [path, routes] of Object.entries(ROUTES))
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter((one) => !(one in routes))) {
        const { status, headers, body } = await api(`${method} ${path}`);
        expect([status, headers.get('allow'), body.error.code]).toEqual([
          405,
          Object.keys(routes).join(', '),
          'CONTROL_WRONG_METHOD',
        ]);
      }
  });

  it('takes JSON alone, and says so', async () => {
    const { controlUrl } = await start();
    const put = async (body: string, headers: Record<string, string>) => {
      const response = await fetch(`${controlUrl}/handlers`, { method: 'PUT', body, headers });
      return [response.status, ((await response.json()) as { error: { code: string } }).error?.code];
    };
    expect(await put('{"handlers":[]}', { 'content-type': 'text/plain' })).toEqual([415, 'CONTROL_NOT_JSON']);
    expect(await put('{"handlers":[]}', { 'content-type': 'application/json; charset=utf-8' })).toEqual([
      200,
      undefined,
    ]);
    expect(await put('{"handlers":[}', JSON_TYPE)).toEqual([400, 'CONTROL_BAD_VALUE']);
    expect(await put('', JSON_TYPE)).toEqual([400, 'CONTROL_BAD_VALUE']);
    expect(await put('[]', JSON_TYPE)).toEqual([400, 'CONTROL_BAD_VALUE']);
  });

  it('takes no body where there is nothing to say', async () => {
    const { api } = await start();
    expect(await api('POST /reset', { hard: true })).toMatchObject({
      status: 400,
      body: { error: { code: 'CONTROL_UNKNOWN_KEY', pointer: '/hard' } },
    });
    expect(await api('GET /health?verbose=1')).toMatchObject({
      status: 400,
      body: { error: { code: 'CONTROL_UNKNOWN_QUERY' } },
    });
    expect((await api('GET /journal?metod=ping')).body.error.next).toBe('Did you mean "method"?');
  });

  it('takes an empty object where there is nothing to say, as some clients send with every POST', async () => {
    const { controlUrl } = await start();
    const response = await fetch(`${controlUrl}/reset`, { method: 'POST', headers: JSON_TYPE, body: '{}' });
    expect(response.status).toBe(200);
  });

  it('refuses what it would not keep as it is: numbers that would be rounded, and what is nested too deep', async () => {
    const { controlUrl } = await start();
    const put = async (returns: string) => {
      const body = `{"handlers":[{"tool":"id","returns":${returns}}]}`;
      const response = await fetch(`${controlUrl}/handlers`, { method: 'PUT', headers: JSON_TYPE, body });
      return { status: response.status, ...((await response.json()) as { error?: { pointer: string } }) };
    };
    expect(await put('{"id":9007199254740993}')).toMatchObject({
      status: 400,
      error: { pointer: '/handlers/0/returns/id' },
    });
    expect(await put('{"id":9007199254740992}')).toMatchObject({ status: 200 });
    expect(await put(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toMatchObject({
      status: 400,
      error: { pointer: '' },
    });
  });

  it('reads bodies up to its limit', async () => {
    const { controlUrl } = await start();
    const put = async (length: number) => {
      const frame = '{"handlers":[]}';
      const body = frame + ' '.repeat(length - frame.length);
      return (await fetch(`${controlUrl}/handlers`, { method: 'PUT', headers: JSON_TYPE, body })).status;
    };
    expect(await put(CONTROL_BODY_BYTES_MAX)).toBe(200);
    expect(await put(CONTROL_BODY_BYTES_MAX + 1)).toBe(413);
  });

  it('waits no longer than its limit', async () => {
    const { api } = await start();
    for (const path of ['/journal/wait', '/request']) {
      const refused = await api(`POST ${path}`, { method: 'ping', timeoutMs: WAIT_MS_MAX + 1 });
      expect(refused).toMatchObject({ status: 400, body: { error: { pointer: '/timeoutMs' } } });
    }
    expect((await api('POST /request', { method: 'ping', timeoutMs: WAIT_MS_MAX })).status).toBe(409);
  });

  it.each([
    ['POST /journal/wait', {}, '/method'],
    ['POST /journal/wait', { method: 1 }, '/method'],
    ['POST /journal/wait', { method: 'ping', count: 0 }, '/count'],
    ['POST /journal/wait', { method: 'ping', params: [] }, '/params'],
    ['POST /journal/wait', { method: 'ping', timeout: 1 }, '/timeout'],
    ['PUT /faults', { faults: 'cut' }, '/faults'],
    ['PUT /faults', {}, '/faults'],
    ['PUT /faults', { faults: [], seed: -1 }, '/seed'],
    ['PUT /faults', { faults: [], sed: 1 }, '/sed'],
    ['POST /fail-next', { method: 'ping' }, ''],
    ['POST /fail-next', { method: 'ping', status: 500, error: { code: 1, message: 'x' } }, ''],
    ['POST /fail-next', { method: 'ping', status: 200 }, '/status'],
    ['POST /fail-next', { method: 'ping', status: 500, times: 0 }, '/times'],
    ['POST /fail-next', { method: 'notifications/x', status: 500 }, '/method'],
    ['POST /notify', { method: 'tools/list_changed' }, '/method'],
    ['POST /request', { method: 'notifications/x' }, '/method'],
  ])('says where in the body of %s a mistake is: %j', async (path, body, pointer) => {
    const { api } = await start();
    const answer = await api(path, body);
    expect([answer.status, answer.body.error.pointer]).toEqual([400, pointer]);
  });

  it('says that a mistake is its own', async () => {
    const control = {
      health() {
        throw new TypeError('no such thing');
      },
    } as unknown as ServerControl;
    const address = { hostname: '127.0.0.1', port: 0 };
    const api = await startControlApi({ control, address, allowed: [], refused() {} });
    expect(await ask(api.url, 'GET /health')).toMatchObject({
      status: 500,
      body: { error: { code: 'CONTROL_INTERNAL' } },
    });
    await api.close();
  });

  it('says which option has another port', async () => {
    const { controlUrl } = await start();
    const address = { hostname: '127.0.0.1', port: Number(new URL(controlUrl).port) };
    const taken = startControlApi({ control: {} as ServerControl, address, allowed: [], refused() {} });
    await expect(taken).rejects.toThrow(/HTTP_CANNOT_LISTEN[\s\S]*--control/);
  });
});
