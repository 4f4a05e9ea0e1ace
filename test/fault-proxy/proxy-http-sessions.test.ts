import { describe, expect, it } from 'vitest';
import { httpStatus } from '../../src/faults/connections/http-status.ts';
import { redeliver } from '../../src/faults/connections/redeliver.ts';
import { resume } from '../../src/faults/connections/resume.ts';
import { sessionLost } from '../../src/faults/connections/session-lost.ts';
import { cancel } from '../../src/faults/messages/cancel.ts';
import { errorReply } from '../../src/faults/messages/error-reply.ts';
import { patch } from '../../src/faults/messages/patch.ts';
import { version } from '../../src/faults/messages/version.ts';
import { faulty, hearing, observed, post } from '../scenario/faulty.ts';
import { CALL, liveServer, rawServer } from '../scenario/servers.ts';

const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const _CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
const MODERN = CALL.replace('"_meta":{', '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",');
const plain = '200 json 47/47 ANSWER end';

const get = (...headers: string[]) =>
  `GET /mcp HTTP/1.1\r\n${['Host: 127.0.0.1', 'Accept: text/event-stream', ...headers].join('\r\n')}\r\nConnection: close\r\n\r\n`;

describe('a lost session', () => {
  it('is not found by any message of it, and another one is', async () => {
    await using far = await liveServer('json');
    await using line = await faulty(far, [sessionLost()]);
    const told: string[] = [];
    for (const [body, session] of [
      [CALL, 'a'],
      [CALL, 'a'],
      [CALL, 'a'],
      [INITIALIZED, 'a'],
      [CALL, 'b'],
    ] as const) {
      using client = line.client().says(post(body, `Mcp-Session-Id: ${session}`));
      told.push(await observed(client));
    }
    using stream = line.client().says(get('Mcp-Session-Id: a'));
    told.push(await observed(stream));
    const lost = `404 json 81/81 {"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null} end`;
    expect(told).toEqual([plain, plain, lost, lost, plain, lost]);
    expect(far.heard.length).toBe(3);
    expect(line.fired).toMatchObject([{ fault: 'session-lost', message: 3, stream: 3 }]);
  });

  it('is none where there are no sessions', async () => {
    await using far = await liveServer('json');
    await using line = await faulty(far, [sessionLost()]);
    for (let n = 0; n < 4; n++) {
      using client = line.client().says(post(CALL));
      expect(await observed(client)).toBe(plain);
    }
  });
});

describe('a stream that is to be resumed', () => {
  it.each([
    ['missed', '200 sse «data: ANSWER⏎⏎» . end'],
    ['nothing', '200 sse . end'],
  ] as const)('is taken up where the client says what it has had: %s', async (from, resumed) => {
    for (const form of ['json', 'sse'] as const) {
      await using far = await liveServer(form);
      await using line = await faulty(far, [resume({ from, retry: 5 })]);
      using client = line.client().says(post(CALL));
      const primed = '«id: mcp-record-1⏎retry: 5⏎data: ⏎⏎» . end';
      expect(await observed(client)).toBe(`200 sse ${form === 'sse' ? '«data: PROGRESS⏎⏎» ' : ''}${primed}`);
      using again = line.client().says(get('Last-Event-ID: mcp-record-1'));
      expect(await observed(again)).toBe(resumed);
      expect(far.heard.length).toBe(1);
    }
  });

  it('may be taken up before its answer is there', async () => {
    await using far = await rawServer();
    await using line = await faulty(far, [{ fault: resume(), when: { kind: 'notification' }, times: 1 }]);
    using client = line.client().says(post(CALL));
    using server = await far.wire();
    await server.hears(CALL);
    server.says('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
    server.says('data: {"jsonrpc":"2.0","method":"notifications/a"}\n\n');
    await client.left;
    using again = line.client().says(get('Last-Event-ID: mcp-record-1'));
    await hearing(again, '200 sse «data: {"jsonrpc":"2.0","method":"notifications/a"}⏎⏎»');
    server.says('data: {"jsonrpc":"2.0","id":1,"result":{"text":"\xc3\xa9"}}\n\n').socket.end();
    expect(await observed(again)).toBe(
      '200 sse «data: {"jsonrpc":"2.0","method":"notifications/a"}⏎⏎» «data: ANSWER⏎⏎» . end',
    );
  });

  it('gives again what was had already on it, and on no other', async () => {
    await using far = await liveServer('sse');
    await using line = await faulty(far, [resume({ retry: 5 }), redeliver({ count: 1 })]);
    using client = line.client().says(post(CALL));
    await client.left;
    using other = line.client().says(post(CALL.replace('"id":1', '"id":2').replace('Token":1', 'Token":2')));
    await other.left;
    using again = line.client().says(get('Last-Event-ID: mcp-record-1'));
    expect(await observed(again)).toBe('200 sse «data: PROGRESS⏎⏎» «data: ANSWER⏎⏎» . end');
  });
});

it('a cancel closes the stream of its request, from 2026-07-28 on', async () => {
  await using far = await rawServer();
  await using line = await faulty(far, [cancel({ at: 1 })]);
  using client = line.client().says(post(MODERN));
  using server = await far.wire();
  await server.hears(MODERN);
  server.says('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
  server.says('data: {"jsonrpc":"2.0","method":"notifications/a"}\n\n');
  expect([await server.left, await client.left]).toEqual(['end', 'end']);
});

describe('a status', () => {
  it.each([
    [{ status: 401 }, 'www-authenticate: Bearer error="invalid_token"'],
    [{ status: 403 }, 'www-authenticate: Bearer error="insufficient_scope", scope="mcp"'],
    [{ status: 405 }, 'allow: POST'],
    [{ status: 429, headers: { 'retry-after': '9' } }, 'retry-after: 9'],
    [{ status: 503 }, 'retry-after: 1'],
  ])('comes with what belongs to it: %j', async (written, header) => {
    await using far = await liveServer('json');
    await using line = await faulty(far, [{ fault: httpStatus(written), times: 1 }]);
    using client = line.client().says(post(CALL));
    await client.left;
    expect(client.heard).toContain(`\r\n${header}\r\n`);
    using next = line.client().says(post(CALL));
    expect(await observed(next)).toBe(plain);
  });

  it('may meet a GET alone, and come in the place of an answer', async () => {
    await using far = await liveServer('json');
    const onGet = {
      fault: httpStatus({ status: 405, body: '' }),
      when: { kind: 'open', method: 'GET' },
    } as const;
    const onAnswer = { fault: httpStatus({ status: 504, body: 'x' }), when: { from: 'server' } } as const;
    await using line = await faulty(far, [onGet, onAnswer]);
    using stream = line.client().says(get());
    using client = line.client().says(post(CALL));
    expect([await observed(stream), await observed(client)]).toEqual([
      '405 text/plain 0/0 end',
      '504 text/plain 1/1 x end',
    ]);
    expect(far.heard.length).toBe(1);
  });

  it('is that of the error, from 2026-07-28 on', async () => {
    for (const [code, status] of [
      [-32601, 404],
      [-32020, 400],
      [-32603, 200],
    ] as const) {
      for (const when of [{ kind: 'response' }, { from: 'client', kind: 'request' }] as const) {
        await using far = await liveServer('json');
        await using line = await faulty(far, [{ fault: errorReply({ code }), when }]);
        using client = line.client().says(post(MODERN));
        expect(await observed(client)).toMatch(new RegExp(`^${status} json .*"code":${code}`));
      }
    }
  });
});

it('heads are altered: of a request, and of an answer', async () => {
  await using far = await rawServer();
  const headers = { 'x-odd': 'b', 'mcp-protocol-version': '1999-01-01' };
  await using line = await faulty(far, [
    { fault: patch({ headers }), when: { from: 'client' } },
    patch({ headers: { 'content-type': 'text/html' } }),
  ]);
  using client = line.client().says(post(CALL, 'MCP-Protocol-Version: 2025-11-25', 'X-Other: a'));
  using server = await far.wire();
  const asked = await server.hears(CALL);
  for (const line of ['X-Other: a', 'x-odd: b', 'mcp-protocol-version: 1999-01-01']) {
    expect(asked).toContain(`\r\n${line}\r\n`);
  }
  expect(asked).not.toContain('2025-11-25');
  server.says('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
  expect(await observed(client)).toBe('200 text/html 2/2 {} end');
});

it('a server of other revisions says so, in initialize and in server/discover', async () => {
  const fault = version({ as: '1999-01-01' });
  for (const [method, said] of [
    ['initialize', '"protocolVersion":"2025-11-25"'],
    ['server/discover', '"supportedVersions":["2026-07-28"]'],
  ] as const) {
    await using far = await rawServer();
    await using line = await faulty(far, [{ fault, when: { method } }]);
    using client = line.client().says(post(CALL.replace('tools/call', method)));
    using server = await far.wire();
    await server.hears('}}}');
    const body = `{"jsonrpc":"2.0","id":1,"result":{${said}}}`;
    server.says(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    expect(await observed(client)).toContain(said.replace(/\d{4}-\d\d-\d\d/, '1999-01-01'));
  }
});
