import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { startReverseProxy } from '../../../../src/transports/http/proxy/reverse-proxy.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';
import { chunk, get, post, STREAM, wires } from '../wire.ts';

describe('a message', () => {
  it('passes with its headers in their case, order and repetition; only names of ours, coding and what is of one connection differ', async () => {
    await using line = await wires();
    const client = line
      .client()
      .says(
        post(
          line.port,
          '{"id":0}',
          'X-Odd: a',
          'x-odd: b',
          'MCP-Session-Id: s',
          'Accept-Encoding: gzip, br',
          'Connection: keep-alive, X-Hop',
          'X-Hop: 1',
          `Origin: http://localhost:${line.port}`,
        ),
      );
    using far = await line.far();
    expect(await far.hears('{"id":0}')).toBe(
      [
        'POST /mcp HTTP/1.1',
        `Host: 127.0.0.1:${line.farPort}`,
        'X-Odd: a',
        'x-odd: b',
        'MCP-Session-Id: s',
        'Accept-Encoding: identity',
        `Origin: http://127.0.0.1:${line.farPort}`,
        'Content-Length: 8',
        'Connection: keep-alive',
        '',
        '{"id":0}',
      ].join('\r\n'),
    );
    far.says(
      'HTTP/1.1 404 Nobody Here\r\nSet-Cookie: a\r\nset-cookie: b\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(await client.hears('{}')).toBe(
      'HTTP/1.1 404 Nobody Here\r\nSet-Cookie: a\r\nset-cookie: b\r\nContent-Length: 2\r\nKeep-Alive: timeout=5\r\nConnection: keep-alive\r\n\r\n{}',
    );
  });

  it('passes chunk by chunk, its head at once, each before the next is there (§14)', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(STREAM);
    await client.hears('\r\n\r\n');
    for (let n = 0; n < 5; n++) {
      far.says(chunk(`data: ${n}\n\n`));
      await client.hears(`data: ${n}\n\n`);
    }
    far.says('0\r\n\r\n');
    await client.hears('0\r\n\r\n');
    expect(line.pieces.map(({ kind }) => kind)).toEqual([
      'request',
      'end',
      'response',
      ...Array(5).fill('data'),
      'end',
    ]);
  });

  it('uses one connection to the server for one of the client, and never asks twice', async () => {
    await using line = await wires();
    const client = line.client();
    client.says(post(line.port, '1'));
    using far = await line.far();
    for (const n of ['2', '3', '']) {
      await far.hears(/\r\n\r\n\d$/);
      far.says('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n');
      await client.hears('202');
      if (n) client.says(post(line.port, n));
    }
    expect(line.uninvited).toBe(0);
  });

  it('on a connection that served many before leaves nothing behind on it', async () => {
    await using line = await wires();
    const client = line.client();
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on('warning', warn);
    client.says(post(line.port, '1'));
    using far = await line.far();
    for (let n = 0; n < 20; n++) {
      await far.hears(/\r\n\r\n1$/);
      far.says('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n');
      await client.hears('202');
      client.says(post(line.port, '1'));
    }
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });

  it('that a link of another site has made has none of the headers that the user has given', async () => {
    await using line = await wires('/mcp', { authorization: 'Bearer given' });
    line.client().says(get(line.port));
    using far = await line.far();
    expect(await far.hears('\r\n\r\n')).toContain('authorization: Bearer given');
    line.client().says(get(line.port, '/mcp', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'));
    using second = await line.far();
    expect(await second.hears('\r\n\r\n')).not.toContain('Bearer given');
  });

  it.each(['/admin', '/mcp/../admin', '//mcp', '/%6dcp', '/mcp/x', '*'])(
    'to %s, which is not the endpoint, has none of them',
    async (path) => {
      await using line = await wires('/mcp', { authorization: 'Bearer given' });
      line.client().says(path === '*' ? get(line.port, '*').replace('GET', 'OPTIONS') : get(line.port, path));
      using far = await line.far();
      expect(await far.hears('\r\n\r\n')).not.toContain('Bearer given');
    },
  );

  it.each(['/mcp?x=1', '/mcp/'])('to %s has them: it is the endpoint', async (path) => {
    await using line = await wires('/mcp', { authorization: 'Bearer given' });
    line.client().says(get(line.port, path));
    using far = await line.far();
    expect(await far.hears('\r\n\r\n')).toContain('Bearer given');
  });

  it('to the path that the server has named for messages has them, and to none that another path has named', async () => {
    await using line = await wires('/sse', { authorization: 'Bearer given' });
    const stream =
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: endpoint\ndata: /messages?id=1\n\n';
    line.client().says(get(line.port, '/other'));
    using other = await line.far();
    await other.hears('\r\n\r\n');
    other.says(stream.replace('/messages', '/admin'));
    const client = line.client().says(get(line.port, '/sse'));
    using far = await line.far();
    await far.hears('Bearer given');
    far.says(stream);
    await client.hears('/messages?id=1');
    for (const [path, has] of [
      ['/messages?id=1', true],
      ['/admin?id=1', false],
    ] as const) {
      line.client().says(post(line.port, '1').replace(/POST \S+/, `POST ${path}`));
      using posted = await line.far();
      expect((await posted.hears('\r\n\r\n1')).includes('Bearer given')).toBe(has);
    }
  });

  it('that waits to be asked for its body is asked by the server', async () => {
    await using line = await wires();
    const client = line.client();
    client.says(post(line.port, '', 'Expect: 100-continue').replace('Length: 0', 'Length: 2'));
    using far = await line.far();
    await far.hears('Expect: 100-continue');
    far.says('HTTP/1.1 100 Continue\r\n\r\n');
    await client.hears('100 Continue');
    client.says('{}');
    await far.hears('{}');
  });

  it('has the interim responses of the server before its answer, and none over HTTP/1.0 (RFC 9110, 15.2)', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(
      '\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: x\r\n\r\nHTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n',
    );
    expect(await client.hears('405')).toContain('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 405 No');
    const old = line.client().says(get(line.port).replace('1.1', '1.0'));
    using second = await line.far();
    await second.hears('\r\n\r\n');
    second.says('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n');
    expect(await old.hears('\r\n\r\n')).toMatch(/^HTTP\/1.1 405 /);
  });

  it('without a body is framed as such', async () => {
    await using line = await wires();
    line.client().says(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${line.port}\r\n\r\n`);
    using far = await line.far();
    expect(await far.hears('\r\n\r\n')).toContain('Content-Length: 0');
    line
      .client()
      .says(
        `DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1:${line.port}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      );
    using second = await line.far();
    expect(await second.hears('0\r\n\r\n')).toMatch(/Transfer-Encoding: chunked[\s\S]*\r\n\r\n2\r\n\{\}\r\n0\r\n\r\n$/);
  });

  it('that names a place of the server’s own is told as ours', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(`HTTP/1.1 307 T\r\nLocation: http://127.0.0.1:${line.farPort}/x\r\nContent-Length: 0\r\n\r\n`);
    expect(await client.hears('\r\n\r\n')).toContain(`Location: http://127.0.0.1:${line.port}/x`);
  });
});

/** protocol: "A proxy must propagate client disconnects upstream immediately, and upstream aborts as an aborted socket". */
describe('a connection that is lost (§7, §14)', () => {
  async function streaming() {
    const line = await wires();
    const client = line.client().says(get(line.port));
    const far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(STREAM + chunk('data: 1\n\n'));
    await client.hears('data: 1');
    return { line, client, far };
  }

  it('by the client’s close is closed towards the server', async () => {
    const { line, client, far } = await streaming();
    await using _ = line;
    client.socket.end();
    expect(await far.left).toBe('end');
    expect(await line.lost()).toBe('client fin');
  });

  it('by the client’s reset is reset towards the server', async () => {
    const { line, client, far } = await streaming();
    await using _ = line;
    client.socket.resetAndDestroy();
    expect(await far.left).toBe('ECONNRESET');
    expect(await line.lost()).toBe('client rst');
  });

  it('by the server’s close is closed towards the client, without the end of the body', async () => {
    const { line, client, far } = await streaming();
    await using _ = line;
    far.says(chunk('data: 2\n\n'));
    far.socket.end();
    expect(await client.left).toBe('end');
    expect(client.heard).toBe(chunk('data: 2\n\n'));
    expect(await line.lost()).toBe('server fin');
  });

  it('by the server’s reset is reset towards the client', async () => {
    const { line, client, far } = await streaming();
    await using _ = line;
    far.socket.resetAndDestroy();
    expect(await client.left).toBe('ECONNRESET');
    expect(await line.lost()).toBe('server rst');
  });

  it.each([
    ['end', 'server fin', 'end'],
    ['resetAndDestroy', 'server rst', 'ECONNRESET'],
  ] as const)('before any answer, by %s, is lost alike', async (how, lost, left) => {
    await using line = await wires();
    const client = line.client().says(post(line.port, '{}'));
    using far = await line.far();
    await far.hears('{}');
    far.socket[how]();
    expect(await client.left).toBe(left);
    expect(client.heard).toBe('');
    expect(await line.lost()).toBe(lost);
  });

  it('in the middle of a request is lost towards the server', async () => {
    await using line = await wires();
    const client = line.client().says(post(line.port, '{}').replace('Length: 2', 'Length: 9'));
    using far = await line.far();
    await far.hears('{}');
    client.socket.resetAndDestroy();
    expect(await far.left).toBe('ECONNRESET');
  });

  it('while idle is closed towards the client, too', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says('HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n');
    await client.hears('405');
    far.socket.end();
    expect(await client.left).toBe('end');
    // Nothing is read after the connection was closed: its answer could not be written.
    client.says(get(line.port));
    client.socket.end();
    await once(client.socket, 'close');
    expect(line.uninvited).toBe(0);
  });

  it('with notice is noticed by the client', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says('HTTP/1.1 405 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    expect(await client.hears('\r\n\r\n')).toContain('Connection: close');
    expect(await client.left).toBe('end');
  });

  it('by invalid chunks ends the answer where it broke, and nothing else', async () => {
    const { line, client, far } = await streaming();
    await using _ = line;
    far.says('zz\r\nnot a chunk');
    expect(await client.left).toBe('end');
    line.client().says(get(line.port));
    using second = await line.far();
    await second.hears('GET /mcp');
  });

  it('by chunks that are none from the first has passed the head on', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(`${STREAM}zz`);
    expect(await client.left).toBe('end');
    expect(client.heard).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\n\r\n$/);
  });
});

describe('a server that is no server', () => {
  it('because nobody listens is a 502 that says so', async () => {
    await using line = await wires();
    line.server.close();
    await once(line.server, 'close');
    const client = line.client().says(post(line.port, '{}'));
    expect(await client.hears('UNREACHABLE')).toMatch(/^HTTP\/1.1 502 [\s\S]*Cannot reach http:[\s\S]*ECONNREFUSED/);
    expect(line.troubles).toEqual(['HTTP_UPSTREAM_UNREACHABLE']);
  });

  it.each([
    'SSH-2.0-OpenSSH\r\n',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  ])('because it says %.30j is a 502 that says so', async (answer) => {
    await using line = await wires();
    const client = line.client().says(post(line.port, '{}'));
    using far = await line.far();
    await far.hears('{}');
    far.says(answer);
    expect(await client.hears('INVALID')).toMatch(/^HTTP\/1.1 502 /);
  });
});

/** RFC 9112, 6.1, 6.3 and 3.2; protocol: "Validate Origin and Host; forward only to the one upstream". */
describe('what is no request for us', () => {
  it.each([
    ['two lengths', 400, 'POST /mcp HTTP/1.1\r\nHost: OURS\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'a length and chunks',
      400,
      'POST /mcp HTTP/1.1\r\nHost: OURS\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a coding that is not last',
      400,
      'POST /mcp HTTP/1.1\r\nHost: OURS\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
    ],
    [
      'a coding beside chunks',
      501,
      'POST /mcp HTTP/1.1\r\nHost: OURS\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no HTTP', 400, '\x16\x03\x01\x02\r\n\r\n'],
    ['a head without end', 431, `GET /mcp HTTP/1.1\r\nHost: OURS\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['another server', 421, 'GET http://far.example/mcp HTTP/1.1\r\nHost: OURS\r\n\r\n'],
    ['a tunnel', 405, 'CONNECT far.example:443 HTTP/1.1\r\nHost: OURS\r\n\r\n'],
    ['a strange host', 403, 'GET /mcp HTTP/1.1\r\nHost: far.example\r\n\r\n'],
    ['a strange origin', 403, 'GET /mcp HTTP/1.1\r\nHost: OURS\r\nOrigin: https://far.example\r\n\r\n'],
    ['no path', 400, 'GET * HTTP/1.1\r\nHost: OURS\r\n\r\n'],
  ])('%s is refused with %i, said, and goes nowhere', async (_, status, request) => {
    await using line = await wires();
    const client = line.client().says(request.replace('OURS', `127.0.0.1:${line.port}`));
    expect(await client.hears('\r\n\r\n')).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(line.troubles).toEqual(['HTTP_REQUEST_REFUSED']);
    expect([line.uninvited, line.pieces]).toEqual([0, []]);
  });

  it('an upgrade is asked for as an ordinary request', async () => {
    await using line = await wires();
    line.client().says(get(line.port, '/mcp', 'Connection: Upgrade', 'Upgrade: websocket'));
    using far = await line.far();
    expect(await far.hears('\r\n\r\n')).not.toMatch(/upgrade/i);
  });
});

describe('a side that does not read', () => {
  it('makes the other side wait', async () => {
    await using line = await wires();
    const client = line.client();
    client.says(get(line.port));
    client.socket.pause();
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n');
    const block = Buffer.alloc(64 * 1024);
    while (far.socket.write(block));
    for (let before = -1; before !== far.socket.bytesWritten - far.socket.writableLength; ) {
      before = far.socket.bytesWritten - far.socket.writableLength;
      far.socket.write(block);
      for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    const held = line.pieces.reduce((sum, piece) => sum + (piece.kind === 'data' ? piece.data.length : 0), 0);
    expect(held).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('a port', () => {
  it('that is taken is an error that says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const proxy = startReverseProxy({
      upstream: parseUpstream('http://127.0.0.1:1/mcp'),
      listen: { hostname: '127.0.0.1', port },
      allowed: [],
      clock: systemClock,
      exchange: () => () => {},
      trouble: () => {},
    });
    await expect(proxy).rejects.toThrow('another program listens there');
    other.close();
  });
});
