import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { McpRecordError } from '../../../src/kernel/errors.ts';
import { isFailure, isSameFailure } from '../../../src/sweep/shrink/same-failure.ts';
import { changingCallsBefore, wrongAnswerProgram, wrongAnswersOf } from '../../../src/sweep/shrink/wrong-answer.ts';
import type { Outcome, Step } from '../../../src/text-report/outcome-model.ts';
import { cassette } from '../../support/conversation.ts';

const whole = cassette();
const smaller = cassette();
const step = (recorded: object | undefined, live: object | undefined, line = 5): Step => ({
  title: `tools/call "at ${line}"`,
  line,
  status: 'failed',
  headline: 'other',
  ...(recorded && { recorded: { result: recorded } }),
  ...(live && { live: { result: live } }),
});
const outcome = (...steps: Step[]): Outcome => ({ title: 'verify', file: 'a.yaml', steps, notes: [], duration: 0 });

/** Returns whether the last outcome is the same failure as the first two, which the whole cassette has. */
async function isSame(first: Outcome, last: Outcome, second = first): Promise<boolean> {
  const outcomes = [first, second, last];
  const program = wrongAnswerProgram(async () => outcomes.shift()!);
  const [one] = [await program.attempt(whole, [5], false), await program.attempt(whole, [5], true)];
  expect(isFailure(one)).toBe(true);
  return isSameFailure(one!, await program.attempt(smaller, [5], true));
}

describe('a wrong answer is the same', () => {
  const wrong = step({ a: 1, b: 'x' }, { a: 2, b: 'x' });

  it.each<[string, Step[], boolean]>([
    ['with the same value at the same place', [wrong], true],
    ['with fewer other failures', [wrong], true],
    ['not with another value', [step({ a: 1, b: 'x' }, { a: 3, b: 'x' })], false],
    ['not at another place', [step({ a: 1, b: 'x' }, { a: 1, b: 'y' })], false],
    ['not at a further place', [step({ a: 1, b: 'x' }, { a: 2, b: 'y' })], false],
    ['not with another type', [step({ a: 1, b: 'x' }, { a: '2', b: 'x' })], false],
    ['not where the value is gone', [step({ a: 1, b: 'x' }, { b: 'x' })], false],
    ['not where another answer is wrong, too', [wrong, step({ c: 1 }, { c: 2 }, 9)], false],
    ['not where another answer does not come', [wrong, step(undefined, undefined, 9)], false],
    ['not at another line', [step({ a: 1, b: 'x' }, { a: 2, b: 'x' }, 6)], false],
    ['not where it is right', [], false],
  ])('%s', async (_, last, same) => {
    expect(await isSame(outcome(wrong, step({ d: 1 }, { d: 2 }, 7)), outcome(...last))).toBe(same);
  });

  it('with any value where two sessions with the same cassette have two', async () => {
    const at = (a: number) => outcome(step({ a: 0 }, { a }));
    expect(await isSame(at(1), at(3), at(2))).toBe(true);
    expect(await isSame(at(1), at(3), at(1))).toBe(false);
  });

  it('where an error comes in place of a result, if the error is the same', async () => {
    const error = (code: number): Step => ({ ...step({ a: 1 }, {}), live: { error: { code, message: 'm' } } });
    expect(await isSame(outcome(error(1)), outcome(error(1)))).toBe(true);
    expect(await isSame(outcome(error(1)), outcome(error(2)))).toBe(false);
  });
});

it('is a message that came with other values, and no missing one', () => {
  const missing = step({ a: 1 }, undefined);
  expect(wrongAnswersOf(outcome(missing, { ...step({ a: 1 }, { a: 2 }), status: 'passed' }))).toEqual([]);
});

it('a server that cannot be run with the whole cassette is an error, and with a smaller one no failure', async () => {
  const gone = new McpRecordError({ code: 'X', what: 'w', why: 'y', next: 'n' });
  await expect(wrongAnswerProgram(() => Promise.reject(gone)).attempt(whole, [5], false)).rejects.toBe(gone);
  const outcomes = [Promise.resolve(outcome(step({ a: 1 }, { a: 2 })))];
  const program = wrongAnswerProgram(() => outcomes.shift() ?? Promise.reject(gone));
  await program.attempt(whole, [5], false);
  expect(await program.attempt(smaller, [5], true)).toBeUndefined();
});

it('counts the earlier calls of tools that may change something', () => {
  const call = (id: number, name: string) => `- client: { id: ${id}, method: tools/call, params: { name: ${name} } }\n`;
  const listed = parseCassette(
    `format: mcp-record/1
events:
- client: { id: 1, method: tools/list }
- server: { id: 1, result: { tools: [{ name: read, inputSchema: { type: object }, annotations: { readOnlyHint: true } }] } }
${call(2, 'read')}${call(3, 'write')}${call(4, 'write')}`,
    'a.yaml',
  );
  expect([5, 6, 7, 8].map((line) => changingCallsBefore(listed, line))).toEqual([0, 0, 1, 2]);
});
