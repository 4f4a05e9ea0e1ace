import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../src/kernel/manual-clock.ts';
import { BODY_SILENCE_MAX, HEAD_WITHIN } from '../../../../src/transports/http/proxy/client-connection.ts';
import { get, post, STREAM, wires } from '../wire.ts';

const NO = 'HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n';

describe('a connection of a client', () => {
  it('brings one request after the other, each answered before the next is passed on (RFC 9112, 9.3.2)', async () => {
    await using line = await wires();
    const long = 'x'.repeat(1_000_000);
    const client = line.client().says(post(line.port, '{"id":0}') + post(line.port, long) + get(line.port));
    using far = await line.far();
    expect(await far.hears('{"id":0}')).not.toContain('x'.repeat(100));
    far.says(NO);
    expect(await client.hears('\r\n\r\n')).toContain('405');
    expect(await far.hears(long)).not.toContain('GET');
    far.says('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    expect(await client.hears('{}')).toContain('200');
    await far.hears('GET /mcp');
    far.says(NO);
    expect(await client.hears('\r\n\r\n')).toContain('405');
    expect([line.uninvited, line.troubles]).toEqual([0, []]);
  });

  it('of HTTP/1.0 has the end of a stream for that of its connection', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port).replace('1.1', '1.0'));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(`${STREAM}2\r\n{}\r\n0\r\n\r\n`);
    expect(await client.left).toBe('end');
    expect(client.heard).toBe('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n{}');
  });

  it('hears no body after HEAD, and can be used again', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port).replace('GET', 'HEAD'));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n');
    expect(await client.hears('\r\n\r\n')).toContain('Content-Length: 9');
    client.says(get(line.port));
    await far.hears('GET /mcp');
  });

  it('that is answered before it has asked is closed', async () => {
    await using line = await wires();
    const client = line.client().says(post(line.port, '{}').replace('Length: 2', 'Length: 9'));
    using far = await line.far();
    await far.hears('{}');
    far.says('HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\n{}');
    expect(await client.hears('{}')).toContain('413');
    expect(await client.left).toBe('end');
  });
});

describe('a request that breaks off (RFC 9112, 7.1)', () => {
  const broken = (port: number) =>
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`;

  it('before it is answered is refused, and lost towards the server', async () => {
    await using line = await wires();
    const client = line.client().says(broken(line.port));
    using far = await line.far();
    await far.hears('{}');
    client.says('zz\r\n');
    expect(await client.hears('not valid HTTP')).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect([await client.left, await far.left, await line.lost()]).toEqual(['end', 'end', 'client fin']);
    expect(line.troubles).toEqual(['HTTP_REQUEST_REFUSED']);
  });

  it('while it is answered loses the rest of the answer', async () => {
    await using line = await wires();
    const client = line.client().says(broken(line.port));
    using far = await line.far();
    await far.hears('{}');
    far.says(STREAM);
    await client.hears('\r\n\r\n');
    client.says('zz\r\n');
    expect([await client.left, await far.left, client.heard]).toEqual(['end', 'end', '']);
  });
});

describe('a head that does not come', () => {
  it('is waited for so long, and no longer; between requests nothing is', async () => {
    const clock = new ManualClock();
    await using line = await wires('/mcp', {}, clock);
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    clock.advance(HEAD_WITHIN);
    far.says(NO);
    await client.hears('405');
    clock.advance(HEAD_WITHIN);
    client.says(`${get(line.port)}GET /mcp HTT`);
    await far.hears('\r\n\r\n');
    far.says(NO);
    await client.hears('405');
    clock.advance(HEAD_WITHIN - 1);
    expect(line.troubles).toEqual([]);
    clock.advance(1);
    expect(await client.hears('within 60 s')).toMatch(/^HTTP\/1.1 408 /);
    expect(await client.left).toBe('end');
    expect(line.troubles).toEqual(['HTTP_REQUEST_REFUSED']);
  });
});

describe('a body that its client does not finish', () => {
  /** A request whose body has more bytes than its client says. */
  const begun = (port: number) => post(port, '{}').replace('Length: 2', 'Length: 9');

  it('is waited for as long as some of it comes, and is then refused, to the client and at the server', async () => {
    const clock = new ManualClock();
    await using line = await wires('/mcp', {}, clock);
    const client = line.client().says(begun(line.port));
    using far = await line.far();
    await far.hears('{}');
    for (const part of ['a', 'b', 'c']) {
      clock.advance(BODY_SILENCE_MAX - 1);
      client.says(part);
      await far.hears(part);
    }
    expect(line.troubles).toEqual([]);
    clock.advance(BODY_SILENCE_MAX);
    expect(await client.hears('came for 300 s')).toMatch(/^HTTP\/1.1 408 /);
    expect(await client.left).toBe('end');
    expect(await far.left).not.toBe('');
    expect(line.troubles).toEqual(['HTTP_REQUEST_REFUSED']);
    // What was passed on is there, and that its client is gone.
    const data = line.pieces.map((piece) => (piece.kind === 'data' ? Buffer.from(piece.data).toString() : piece.kind));
    expect(data).toEqual(['request', '{}', 'a', 'b', 'c', 'gone']);
  });

  it('is not waited for once it is complete, however long the server takes', async () => {
    const clock = new ManualClock();
    await using line = await wires('/mcp', {}, clock);
    const client = line.client().says(post(line.port, '{}'));
    using far = await line.far();
    await far.hears('{}');
    clock.advance(2 * BODY_SILENCE_MAX);
    far.says(NO);
    expect(await client.hears('\r\n\r\n')).toContain('405');
    expect(line.troubles).toEqual([]);
  });

  it('is not waited for while the server answers already', async () => {
    const clock = new ManualClock();
    await using line = await wires('/mcp', {}, clock);
    const client = line.client().says(begun(line.port));
    using far = await line.far();
    await far.hears('{}');
    far.says(`${STREAM}2\r\n{}\r\n`);
    await client.hears('{}');
    clock.advance(2 * BODY_SILENCE_MAX);
    far.says('2\r\n[]\r\n');
    await client.hears('[]');
    expect(line.troubles).toEqual([]);
  });
});
