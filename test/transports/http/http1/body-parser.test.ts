import { describe, expect, it } from 'vitest';
import { BodyParser } from '../../../../src/transports/http/http1/body-parser.ts';

const take = (body: BodyParser, text: string) => {
  const { data, read } = body.take(Buffer.from(text));
  return [data.toString(), read, body.isOver, body.isInvalid];
};

describe('a body (RFC 9112, 6.3)', () => {
  it('with a length ends where that does', () => {
    const body = new BodyParser(3);
    expect(body.isOver).toBe(false);
    expect(take(body, 'ab')).toEqual(['ab', 2, false, false]);
    expect(take(body, 'cd')).toEqual(['c', 1, true, false]);
    expect(new BodyParser(0).isOver).toBe(true);
  });

  it('in chunks ends with the last', () => {
    const body = new BodyParser('chunks');
    expect(take(body, '1\r\na\r\n')).toEqual(['a', 6, false, false]);
    expect(take(body, '0\r\n\r\nHT')).toEqual(['', 5, true, false]);
    expect(take(new BodyParser('chunks'), 'zz')[3]).toBe(true);
  });

  it('that its connection ends goes on until then', () => {
    const body = new BodyParser('close');
    expect(take(body, 'ab')).toEqual(['ab', 2, false, false]);
    expect(take(body, 'cd')).toEqual(['cd', 2, false, false]);
  });
});
