import { describe, expect, it } from 'vitest';
import { isError } from '../../../src/kernel/errors.ts';
import { isAwaitable, isBytes, isRegExp } from '../../../src/kernel/platform/other-realms.ts';
import { inOtherRealm } from '../../support/other-realm.ts';

describe('values of another realm are seen as what they are:', () => {
  it.each<[string, (value: unknown) => boolean, string[]]>([
    ['errors', isError, ["new Error('a')", "new TypeError('a')", "new (class Odd extends Error {})('a')"]],
    ['regular expressions', isRegExp, ['/a/i']],
    ['bytes', isBytes, ['new Uint8Array(2)']],
    ['promises', isAwaitable, ['Promise.resolve(1)', '(async () => {})()', '{ then() {} }']],
  ])('%s', (_, check, expressions) => {
    const others = ["'text'", '1', 'null', 'undefined', '{}', '[]', 'new Date()', 'new Map()', '() => {}'];
    expect(expressions.map((one) => check(inOtherRealm(one)))).toEqual(expressions.map(() => true));
    expect(others.filter((one) => check(inOtherRealm(one)))).toEqual([]);
  });
});

it('values of this realm are, too', () => {
  const inherited = Object.create(Error.prototype) as object;
  expect([new Error('a'), inherited, new DOMException('a')].every(isError)).toBe(true);
  expect([isRegExp(/a/), isBytes(Buffer.of(1)), isAwaitable(Promise.resolve())]).toEqual([true, true, true]);
  expect(isBytes(new Uint16Array(2))).toBe(false);
});
