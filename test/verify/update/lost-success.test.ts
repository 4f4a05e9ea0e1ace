import { expect, it } from 'vitest';
import { isLostSuccess } from '../../../src/verify/update/lost-success.ts';

const ok = { result: { content: [] } };
const errors = [
  { error: { code: -32602, message: 'Unknown tool' } },
  { result: { content: [], isError: true } },
  { result: { taskId: 't', status: 'failed' } },
];

it('is a result that is an error now', () => {
  for (const error of errors) expect(isLostSuccess(ok, error)).toBe(true);
});

it('is neither another result, nor an error that was one before, nor a missing answer', () => {
  expect(isLostSuccess(ok, { result: { content: [1], isError: false, status: 'failed' } })).toBe(false);
  for (const before of [...errors, undefined, 'text']) expect(isLostSuccess(before, errors[0])).toBe(false);
  expect(isLostSuccess(ok, undefined)).toBe(false);
});
