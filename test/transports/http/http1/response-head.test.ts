import { describe, expect, it } from 'vitest';
import { framingOf, isLasting, parseResponseHead } from '../../../../src/transports/http/http1/response-head.ts';

const OK = 'HTTP/1.1 200 OK';

describe('the head of an answer (RFC 9112, 4 and 5)', () => {
  it('is read as it stood, without the blanks around values', () => {
    expect(
      parseResponseHead(`HTTP/1.1 404 Nobody Here\r\nSet-Cookie: a\r\nset-cookie:\t b \t\r\nX:\r\nY: \xe9`),
    ).toEqual({
      minor: 1,
      status: 404,
      statusMessage: 'Nobody Here',
      headers: ['Set-Cookie', 'a', 'set-cookie', 'b', 'X', '', 'Y', '\xe9'],
    });
    expect(parseResponseHead('HTTP/1.0 200')).toMatchObject({ minor: 0, status: 200, statusMessage: '' });
  });

  it.each([
    'HTTP/2 200 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 099 OK',
    'HTTP/1.1  200 OK',
    `${OK}\r\nno colon`,
    `${OK}\r\n: no name`,
    `${OK}\r\nName : blank`,
    `${OK}\r\nX: folded\r\n further`,
    `${OK}\r\nX: a\nY: b`,
    `${OK}\r\nX: a\rb`,
    `${OK}\r\nX: a\0b`,
  ])('is none: %j', (text) => {
    expect(parseResponseHead(text)).toBeUndefined();
  });

  it('with a megabyte of blanks in a value is read in one go', () => {
    const value = `a${' '.repeat(1_000_000)}b`;
    expect(parseResponseHead(`${OK}\r\nX:${' '.repeat(1_000_000)}${value}`)?.headers).toEqual(['X', value]);
  });
});

describe('the body of an answer (RFC 9112, 6.3)', () => {
  const framing = (fields: string, { method = 'POST', status = 200 } = {}) =>
    framingOf(parseResponseHead(`HTTP/1.1 ${status} X${fields}`)!, method);

  it('has a length, or chunks, or ends with the connection', () => {
    expect(framing('\r\nContent-Length: 12')).toBe(12);
    expect(framing('\r\nTransfer-Encoding: Chunked')).toBe('chunks');
    expect(framing('')).toBe('close');
  });

  it('is empty where the status or the method says so', () => {
    const length = '\r\nContent-Length: 12';
    expect(framing(length, { method: 'HEAD' })).toBe(0);
    expect(framing(length, { status: 204 })).toBe(0);
    expect(framing(length, { status: 304 })).toBe(0);
  });

  it.each([
    'Content-Length: 1\r\nContent-Length: 2',
    'Content-Length: -1',
    'Content-Length: 0x10',
    'Content-Length: 1\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  ])('cannot be followed: %j', (fields) => {
    expect(framing(`\r\n${fields}`)).toBeUndefined();
  });
});

describe('a connection (RFC 9112, 9.3)', () => {
  it.each([
    ['HTTP/1.1 200 OK', true],
    ['HTTP/1.1 200 OK\r\nConnection: Close', false],
    ['HTTP/1.0 200 OK', false],
    ['HTTP/1.0 200 OK\r\nConnection: keep-alive', true],
  ])('after %j brings another answer: %j', (text, lasts) => {
    expect(isLasting(parseResponseHead(text)!, 0)).toBe(lasts);
    expect(isLasting(parseResponseHead(text)!, 'close')).toBe(false);
  });
});
