import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { RpcFailure } from '../../src/mock/handler.ts';
import { isProgrammingError } from '../../src/mock/handler-error-reply.ts';
import { inOtherRealm } from '../support/other-realm.ts';

expect.extend({ toBeTwo: (value) => ({ pass: value === 2, message: () => `${value} is not 2` }) });

declare module 'vitest' {
  interface Matchers {
    toBeTwo(): void;
  }
}

/** Returns what a function throws. */
async function thrown(run: () => unknown): Promise<Error> {
  try {
    await run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it threw nothing');
}

describe('a mistake of a handler', () => {
  it.each<[string, () => unknown]>([
    ['an assertion of Vitest', () => expect(1).toBe(2)],
    ['an assertion of Vitest about a promise', () => expect(Promise.resolve(1)).rejects.toThrow()],
    ['a custom matcher of Vitest', () => expect(1).toBeTwo()],
    ['an assertion of Node', () => assert.equal(1, 2)],
    ['a TypeError', () => (undefined as never as string[]).length],
    ['an error of a class derived from TypeError', () => Promise.reject(new (class Odd extends TypeError {})())],
  ])('is %s', async (_, run) => {
    expect(isProgrammingError(await thrown(run))).toBe(true);
  });

  it.each([
    ['a TypeError', '(() => { try { undefined.foo } catch (error) { return error } })()'],
    ['a ReferenceError', '(() => { try { missing } catch (error) { return error } })()'],
    ['a SyntaxError', "(() => { try { JSON.parse('{') } catch (error) { return error } })()"],
    ['a RangeError', '(() => { try { [].length = -1 } catch (error) { return error } })()'],
    [
      'a TypeError as Node makes it',
      "new (class NodeError extends TypeError { code = 'ERR_INVALID_ARG_TYPE' })('bad')",
    ],
    ['an assertion of Node', "Object.assign(new Error('1 !== 2'), { code: 'ERR_ASSERTION' })"],
    // Jest names no error after its class.
    ['an assertion of Jest', "Object.assign(new Error('expect(received).toBe(expected)'), { matcherResult: {} })"],
    ['an assertion of Jest about a promise', "new (class JestAssertionError extends Error {})('expect(…).rejects')"],
    [
      'a wrong use of a matcher of Jest',
      "new Error('expect(received).toHaveLength()\\n\\n\\u001b[1mMatcher error\\u001b[22m: …')",
    ],
  ])('is %s of another realm', (_, expression) => {
    expect(isProgrammingError(inOtherRealm(expression))).toBe(true);
  });

  it.each([
    ['an error', new Error('over quota')],
    ['an error of a class', new (class QuotaError extends Error {})('over quota')],
    ['a failure', new RpcFailure({ code: -32050, message: 'busy' })],
    ['an error of another realm', inOtherRealm<Error>("new Error('over quota')")],
    ['an error without a prototype', Object.setPrototypeOf(new Error('bare'), null) as Error],
  ])('is not %s', (_, error) => {
    expect(isProgrammingError(error)).toBe(false);
  });
});
