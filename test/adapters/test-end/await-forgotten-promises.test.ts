import { describe, expect, it, test } from 'vitest';
import { awaitAtEndOfTest, PromisesOfTest } from '../../../src/adapters/test-end/await-forgotten-promises.ts';

const WRONG = new Error('the server is wrong');

describe('the promises of a test', () => {
  it('fail it where it has awaited none', async () => {
    const promises = new PromisesOfTest();
    let reject = (_error: Error) => {};
    void promises.give(Promise.resolve('fine'));
    void promises.give(
      new Promise<void>((_, later) => {
        reject = later;
      }),
    );
    const failure = promises.failure();
    reject(WRONG);
    expect(await failure).toEqual({ error: WRONG });
  });

  it('do not fail it where it has awaited them, or handled their error', async () => {
    const promises = new PromisesOfTest();
    expect(await promises.give(Promise.resolve('fine'))).toBe('fine');
    await expect(promises.give(Promise.reject(WRONG))).rejects.toThrow(WRONG);
    expect(await promises.give(Promise.reject(WRONG)).catch((error: unknown) => error)).toBe(WRONG);
    const later = promises.give(Promise.reject(WRONG));
    await expect(later).rejects.toBe(WRONG);
    expect(await promises.failure()).toBeUndefined();
  });

  it('have the place in the test that got them in the stack of their error', async () => {
    const promises = new PromisesOfTest();
    const error = new Error('from afar');
    error.stack = 'Error: from afar\n    at afar (afar.js:1:1)';
    const stack = await promises.give(Promise.reject(error)).catch(({ stack }: Error) => stack);
    expect(stack).toMatch(/^Error: from afar\n {4}at afar \(afar\.js:1:1\)\n[\s\S]*await-forgotten-promises\.test\.ts/);
    expect(await promises.give(Promise.reject('no error')).catch((thrown: unknown) => thrown)).toBe('no error');
  });
});

it('a promise that the test awaits is awaited once', async () => {
  await expect(awaitAtEndOfTest(Promise.reject(WRONG), 'it')).rejects.toThrow(WRONG);
  expect(await awaitAtEndOfTest(Promise.resolve(3), 'it')).toBe(3);
});

test.concurrent('a promise in a concurrent test is the same one: the end of this test is unknown', () => {
  const promise = Promise.resolve();
  expect(awaitAtEndOfTest(promise, 'it')).toBe(promise);
});
