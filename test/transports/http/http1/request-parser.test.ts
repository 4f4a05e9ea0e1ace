import { once } from 'node:events';
import { createServer, METHODS } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayLast } from '../../../../src/transports/http/http1/request-head.ts';
import { RequestParser } from '../../../../src/transports/http/http1/request-parser.ts';

/** What a reader tells of `text`, read in pieces of `size` bytes, each request after the last if `isAnswered`; data is joined. */
function read(text: string, { size = Number.POSITIVE_INFINITY, isAnswered = true } = {}) {
  const told: string[] = [];
  let data = '';
  let lasts = true;
  const tell = (what: string) => {
    if (data !== '') told.push(data);
    data = '';
    told.push(what);
  };
  const reader = new RequestParser(
    {
      head: (head) => {
        lasts = mayLast(head);
        tell(`${head.method} ${head.target}`);
      },
      data: (piece) => {
        data += piece.toString('latin1');
      },
      end: () => {
        tell('end');
        if (isAnswered && lasts) reader.next();
      },
      refused: (status) => tell(String(status)),
    },
    1000,
  );
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) reader.write(Buffer.from(bytes.subarray(at, at + size)));
  return { reader, told };
}

const CHUNKED = 'POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n';

describe('requests (RFC 9112)', () => {
  it.each([
    ['GET /a HTTP/1.1\r\nHost: x\r\n\r\n', ['GET /a', 'end']],
    ['POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}', ['POST /a', '{}', 'end']],
    [CHUNKED, ['POST /b', 'ab', 'end']],
    [
      `\r\n\r\nPOST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}\r\n${CHUNKED}DELETE /c HTTP/1.1\r\n\r\n`,
      ['POST /a', '{}', 'end', 'POST /b', 'ab', 'end', 'DELETE /c', 'end'],
    ],
  ])('%j are told as %j, cut anywhere', (text, expected) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const { told, reader } = read(text, { size });
      expect(told).toEqual(expected);
      expect([reader.isInHead, reader.earlyBytes]).toEqual([false, 0]);
    }
  });

  it.each([
    ['no HTTP\r\n\r\n', ['400']],
    ['GET / HTTP/1.1\nHost: x\n\n', ['400']],
    [`GET / HTTP/1.1\r\nX: ${'x'.repeat(1000)}`, ['431']],
    ['POST /a HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', ['501']],
    ['POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n', ['POST /a', '400']],
    ['GET /a HTTP/1.1\r\n\r\nGET\r\n\r\nGET /b HTTP/1.1\r\n\r\n', ['GET /a', 'end', '400']],
  ])('%j are told as %j, and what follows is not read', (text, expected) => {
    for (const size of [1, 7, 10_000]) expect(read(`${text}GET /c HTTP/1.1\r\n\r\n`, { size }).told).toEqual(expected);
  });

  it('wait for their turn', () => {
    const { told, reader } = read(`GET /a HTTP/1.1\r\n\r\n${CHUNKED}GET /c HTTP`, {
      isAnswered: false,
      size: 5,
    });
    expect(told).toEqual(['GET /a', 'end']);
    expect([reader.isOver, reader.earlyBytes]).toEqual([true, CHUNKED.length + 'GET /c HTTP'.length]);
    reader.next();
    expect(told).toEqual(['GET /a', 'end', 'POST /b', 'ab', 'end']);
    reader.next();
    expect([reader.isOver, reader.isInHead]).toEqual([false, true]);
    reader.write(Buffer.from('/1.1\r\n\r\n'));
    expect(told.slice(5)).toEqual(['GET /c', 'end']);
  });
});

/** What one program takes for a request, and the next for something else, is how requests are smuggled. */
describe('what is taken for a request', () => {
  const server = createServer({ maxHeaderSize: 1000 }, async (request, response) => {
    const told = [`${request.method} ${request.url}`];
    heard.push(told);
    let body = '';
    try {
      for await (const piece of request) body += piece.toString('latin1');
    } catch {
      return;
    }
    told.push(...(body === '' ? [] : [body]), 'end');
    response.end();
  });
  let heard: string[][] = [];
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  /** What `node:http` hears of it. */
  async function heardByNode(text: string): Promise<string[]> {
    heard = [];
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    // The last one asks for the end of the connection, where it is understood; else that is the server's refusal.
    socket.write(`${text}\r\n\r\nGET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1');
    await once(socket, 'close');
    return heard.flat();
  }

  const field = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('X-Odd: a', 'Content-Length: 3', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
    },
    fc.constantFrom(
      'Host: x',
      'transfer-encoding:chunked',
      'Transfer-Encoding: identity',
      'Transfer-Encoding: chunked, chunked',
      'Transfer-Encoding : chunked',
      'Transfer-Encoding: \x0bchunked',
      'Content-Length: +3',
      'Content-Length : 3',
      'Content-Length: 3, 3',
      'Content-Length:\t3 ',
      'X: folded\r\n Content-Length: 3',
      'X: a\nContent-Length: 3',
      'X: a\rContent-Length: 3',
      'no colon',
    ),
  );
  const body = fc.constantFrom('', 'xyz', 'xyzzy', '3\r\nxyz\r\n0\r\n\r\n', '3\nxyz\n0\n\n', '0\r\n\r\n');
  const end = fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r');
  const request = fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'DELETE', ' GET', 'G ET'),
      fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/1.1 ', 'HTTP/2.0', ''),
      fc.array(field, { maxLength: 4 }),
      body,
      end,
      fc.nat(9),
    )
    .map(
      ([method, version, fields, text, lineEnd, n]) =>
        `${[`${method} /${n} ${version}`, 'Host: x', ...fields].join(lineEnd)}${lineEnd}${lineEnd}${text}`,
    );

  it('is what node:http takes for the same request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (requests) => {
        const text = requests.join('');
        const ours = read(`${text}\r\n\r\nGET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`).told;
        // Methods that it does not know node:http refuses; they go on to the server.
        const strange = ours.findIndex((it) => it.includes(' /') && !METHODS.includes(it.split(' ')[0]!));
        const known = strange < 0 ? ours : ours.slice(0, strange);
        const whole = known.slice(0, known.lastIndexOf('end') + 1);
        const theirs = await heardByNode(text);
        expect(theirs.slice(0, whole.length)).toEqual(whole);
      }),
      { numRuns: 1000 },
    );
  });
});
