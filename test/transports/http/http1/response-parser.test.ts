import { describe, expect, it } from 'vitest';
import { ResponseParser } from '../../../../src/transports/http/http1/response-parser.ts';

/** What a reader tells of `text`, read in pieces of `size` bytes; data is joined. */
function read(text: string, { size = Number.POSITIVE_INFINITY, method = 'POST', headBytesMax = 1000 } = {}) {
  const told: string[] = [];
  let data = '';
  const tell = (what: string) => {
    if (data !== '') told.push(data);
    data = '';
    told.push(what);
  };
  const reader = new ResponseParser(
    {
      interim: ({ status }) => tell(`interim ${status}`),
      head: ({ status }) => tell(`head ${status}`),
      data: (piece) => {
        data += piece.toString('latin1');
      },
      end: () => tell('end'),
      invalid: ({ message }) => tell(message),
    },
    headBytesMax,
  );
  reader.expect(method);
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) reader.write(Buffer.from(bytes.subarray(at, at + size)));
  return { reader, told };
}

describe('an answer', () => {
  it.each([
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', ['head 200', '{}', 'end']],
    ['HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n', ['head 202', 'end']],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n', ['head 200', 'ab', 'end']],
    [
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No\r\n\r\n',
      ['interim 100', 'interim 103', 'head 204', 'end'],
    ],
  ])('%j is told as %j, cut anywhere', (text, expected) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const { told, reader } = read(text, { size });
      expect(told).toEqual(expected);
      expect([reader.isOver, reader.isLasting]).toEqual([true, true]);
    }
  });

  it('to HEAD has no body, whatever its head says', () => {
    const { told } = read('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', { method: 'HEAD' });
    expect(told).toEqual(['head 200', 'end']);
  });

  it('without a length ends with the connection', () => {
    const { told, reader } = read('HTTP/1.0 200 OK\r\n\r\nab');
    expect(reader.isOver).toBe(false);
    expect(reader.close()).toBe(true);
    expect(told).toEqual(['head 200', 'ab', 'end']);
  });

  it('that the connection cuts short does not end', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab').reader.close()).toBe(false);
    expect(read('HTTP/1.1 200').reader.close()).toBe(false);
  });

  it('is followed by another on the same connection', () => {
    const { told, reader } = read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    reader.expect('GET');
    reader.write(Buffer.from('HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n'));
    expect(told).toEqual(['head 200', '{}', 'end', 'head 405', 'end']);
  });

  it('that says more than it should is the last of its connection', () => {
    for (const size of [1, 1000]) {
      const { told, reader } = read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK', {
        size,
      });
      expect(told).toEqual(['head 200', '{}', 'end']);
      expect(reader.isLasting).toBe(false);
    }
  });

  it.each([
    ['SSH-2.0-OpenSSH\r\n', 'it does not begin with HTTP/1'],
    ['X', 'it does not begin with HTTP/1'],
    ['HTTP/1.1 200 OK\nX: y\r\n\r\n', 'its head is not valid'],
    ['HTTP/1.1 200 OK\nContent-Length: 0\n\n', 'its lines end as those of HTTP/1 do not'],
    [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(2_000)}`, 'its head is too long'],
    [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(2_000)}\r\n\r\n`, 'its head is too long'],
    ['HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n', 'the length of its body is not valid'],
    ['HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n', 'it switches to a protocol that nobody asked for'],
  ])('is none where it says %.40j', (text, why) => {
    const { told, reader } = read(text);
    expect(told).toEqual([why]);
    expect([reader.isOver, reader.isLasting]).toEqual([true, false]);
  });

  it('is passed on up to where its chunks are none', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(read(`${head}1\r\na\r\nzz`).told).toEqual(['head 200', 'a', 'its chunks are not valid']);
  });

  it('may come after any number of others that are no answer', () => {
    const { told } = read(`${'HTTP/1.1 100 \r\n\r\n'.repeat(5_000)}HTTP/1.1 204 No\r\n\r\n`);
    expect(told).toHaveLength(5_002);
    expect(told.slice(-2)).toEqual(['head 204', 'end']);
  });
});
