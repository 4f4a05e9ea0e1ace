import { expect, it } from 'vitest';
import { attempt } from '../../../src/cli/reports/wrap-thrown-error.ts';

it('what a task throws is the cause of an error in the words of its caller', () => {
  const words = { code: 'CODE', what: 'Cannot read it', next: 'Name another.' };
  expect(attempt(() => 1, words)).toBe(1);
  const cause = new Error('it is gone');
  const failing = () => {
    throw cause;
  };
  expect(() => attempt(failing, words)).toThrow(
    expect.objectContaining({ problem: { ...words, why: 'it is gone', cause } }),
  );
});
