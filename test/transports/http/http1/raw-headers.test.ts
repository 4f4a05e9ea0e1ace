import { expect, it } from 'vitest';
import {
  endToEnd,
  headerOf,
  isIdentity,
  mapHeaders,
  mediaType,
  withHeaders,
} from '../../../../src/transports/http/http1/raw-headers.ts';

it('fields of one connection stay there, named ones too; the others keep their case, order and repetition (§14)', () => {
  const headers = [
    'X-A',
    '1',
    'Connection',
    'close, X-Hop',
    'x-hop',
    '2',
    'TE',
    'trailers',
    'x-a',
    '3',
    'Keep-Alive',
    '5',
  ];
  expect(endToEnd(headers)).toEqual(['X-A', '1', 'x-a', '3']);
});

it('the length of a body and its host are never of one connection, whatever Connection names', () => {
  const headers = ['Connection', 'Content-Length, host, x-a', 'Content-Length', '43', 'Host', 'a', 'X-A', '1'];
  expect(endToEnd(headers)).toEqual(['Content-Length', '43', 'Host', 'a']);
});

it('a field is found in any case, and several are one list', () => {
  expect(headerOf(['ACCEPT', 'a', 'x', 'y', 'accept', 'b'], 'accept')).toBe('a, b');
  expect(headerOf(['x', ''], 'x')).toBe('');
  expect(headerOf([], 'accept')).toBeUndefined();
});

it('a field can be changed or left out where it stands', () => {
  const changed = mapHeaders(['A', '1', 'B', '2'], (name, value) => (name === 'a' ? undefined : `${value}!`));
  expect(changed).toEqual(['B', '2!']);
});

it('a media type is read without its parameters (§14)', () => {
  expect(mediaType('Application/JSON; charset=utf-8')).toBe('application/json');
  expect(mediaType(undefined)).toBeUndefined();
});

it('a body is read as it is unless it was compressed (§14)', () => {
  expect([[], ['Content-Encoding', 'identity'], ['content-encoding', 'gzip']].map(isIdentity)).toEqual([
    true,
    true,
    false,
  ]);
});

it('own fields take the place of those of the same name, in any case', () => {
  const own = { authorization: 'Bearer own', 'x-new': '1' };
  expect(withHeaders(['Authorization', 'Bearer theirs', 'X-Other', 'a'], own)).toEqual([
    'X-Other',
    'a',
    'authorization',
    'Bearer own',
    'x-new',
    '1',
  ]);
  expect(withHeaders(['A', 'b'], {})).toEqual(['A', 'b']);
});
