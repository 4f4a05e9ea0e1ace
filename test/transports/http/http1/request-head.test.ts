import { describe, expect, it } from 'vitest';
import { framingOfRequest, mayLast, parseRequestHead } from '../../../../src/transports/http/http1/request-head.ts';

const LINE = 'POST /mcp HTTP/1.1';
const head = (...fields: string[]) => parseRequestHead([LINE, ...fields].join('\r\n'))!;

describe('the head of a request (RFC 9112, 3 and 5)', () => {
  it('is read as it stood, without the blanks around values', () => {
    expect(parseRequestHead(`${LINE}\r\nHost: a:80\r\nx-odd:\t b \t\r\nX-Odd:\r\nY: \xe9`)).toEqual({
      method: 'POST',
      target: '/mcp',
      minor: 1,
      headers: ['Host', 'a:80', 'x-odd', 'b', 'X-Odd', '', 'Y', '\xe9'],
    });
    expect(parseRequestHead('M-SEARCH * HTTP/1.0')).toMatchObject({
      method: 'M-SEARCH',
      target: '*',
      minor: 0,
    });
  });

  it.each([
    '',
    'POST /mcp',
    'POST  /mcp HTTP/1.1',
    'POST /mcp HTTP/1.1 ',
    ' POST /mcp HTTP/1.1',
    'POST /a b HTTP/1.1',
    'POST /mcp HTTP/1.2',
    'PRI * HTTP/2.0',
    'PO(T /mcp HTTP/1.1',
    'POST /m\tcp HTTP/1.1',
    `${LINE}\r\nno colon`,
    `${LINE}\r\n: no name`,
    `${LINE}\r\nName : blank`,
    `${LINE}\r\n Name: blank`,
    `${LINE}\r\nX: folded\r\n further`,
    `${LINE}\r\nX: a\nY: b`,
    `${LINE}\r\nX: a\rb`,
    `${LINE}\r\nX: a\0b`,
    `${LINE}\nX: a`,
  ])('%j is none', (text) => {
    expect(parseRequestHead(text)).toBeUndefined();
  });
});

describe('the body of a request (RFC 9112, 6.3)', () => {
  it.each([
    [[], 0],
    [['Content-Length: 12'], 12],
    [['Transfer-Encoding: Chunked'], 'chunks'],
  ])('after %j is framed by %j', (fields, framing) => {
    expect(framingOfRequest(head(...fields))).toBe(framing);
  });

  it.each([
    [400, ['Content-Length: 2', 'Content-Length: 2']],
    [400, ['Content-Length: 2, 2']],
    [400, ['Content-Length: +2']],
    [400, ['Content-Length: 0x2']],
    [400, ['Content-Length: -2']],
    [400, ['Content-Length:']],
    [400, ['Content-Length: 9999999999999999']],
    [400, ['Content-Length: 2', 'Transfer-Encoding: chunked']],
    [400, ['Transfer-Encoding: chunked, gzip']],
    [400, ['Transfer-Encoding: gzip']],
    [400, ['Transfer-Encoding:']],
    [400, ['Transfer-Encoding: xchunked']],
    [501, ['Transfer-Encoding: gzip, chunked']],
    [501, ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
  ])('is refused with %i after %j', (refusal, fields) => {
    expect(framingOfRequest(head(...fields))).toMatchObject({ refusal });
  });

  it('in chunks is refused of HTTP/1.0, which has none', () => {
    const old = parseRequestHead('POST /mcp HTTP/1.0\r\nTransfer-Encoding: chunked')!;
    expect(framingOfRequest(old)).toMatchObject({ refusal: 400 });
  });
});

describe('a connection (RFC 9112, 9.3)', () => {
  it.each([
    ['HTTP/1.1', '', true],
    ['HTTP/1.1', '\r\nConnection: X, Close', false],
    ['HTTP/1.0', '', false],
    ['HTTP/1.0', '\r\nConnection: Keep-Alive', true],
  ])('after %j%j may last: %j', (version, fields, expected) => {
    expect(mayLast(parseRequestHead(`GET / ${version}${fields}`)!)).toBe(expected);
  });
});
