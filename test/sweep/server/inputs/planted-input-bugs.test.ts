import { beforeAll, describe, expect, it } from 'vitest';
import type { Cassette } from '../../../../src/cassette/cassette.ts';
import { overStdio, sweepInputsOf, sweptTools, sweptToolsSession } from './swept-inputs.ts';

let played: Cassette;
beforeAll(async () => {
  played = await sweptToolsSession();
});

/** Bug of `swept-tools.js` → the point that shows it, its verdict, and the smallest arguments that do. */
const BUGS: readonly [bug: string, point: string, verdict: string, args: unknown][] = [
  ['accepts-a-missing-property', 'missing-required@say', 'accepted', undefined],
  ['accepts-a-wrong-type', 'wrong-type@say', 'accepted', { text: 0 }],
  ['accepts-another-choice', 'not-in-enum@say', 'accepted', { text: 'hello', voice: '' }],
  ['accepts-too-little', 'out-of-range@count', 'accepted', { to: -1 }],
  ['accepts-a-long-list', 'wrong-length@code', 'accepted', { list: [1, 1, 1, 1] }],
  ['accepts-another-pattern', 'pattern-mismatch@code', 'accepted', { key: '' }],
  ['accepts-what-is-additional', 'additional-property@say', 'ignored', { text: 'hello', 'mcp-record': 0 }],
  ['dies-of-an-empty-text', 'edge-strings@say', 'crashed', { text: '' }],
  ['dies-of-nul', 'edge-strings@say', 'crashed', { text: '\0' }],
  ['dies-of-a-long-text', 'edge-strings@say', 'crashed', { text: 'a'.repeat(501) }],
  ['hangs-at-a-large-number', 'edge-numbers@count', 'hung', { to: 1001 }],
  ['loops-at-a-large-number', 'edge-numbers@count', 'hung', { to: 1001 }],
  ['mixes-up-answers', 'wrong-type@say', 'corrupted', 0],
  ['answers-with-nothing', 'edge-strings@say', 'corrupted', { text: '' }],
  ['answers-without-content', 'edge-strings@say', 'corrupted', { text: '' }],
  ['writes-to-its-output', 'edge-strings@say', 'stray', { text: '' }],
];

describe('a server with a bug', () => {
  it.concurrent.each(BUGS)('that %s is found at %s: %s', async (bug, point, verdict, args) => {
    const [result] = await sweepInputsOf(overStdio(sweptTools(bug)), { played, points: [point] });
    expect([result?.verdict, result?.call?.arguments, result?.why]).toEqual([verdict, args, expect.any(String)]);
  });
});

it('a server that dies of three bad calls, and of none alone, is found', async () => {
  const points = ['wrong-type@say'];
  const [result] = await sweepInputsOf(overStdio(sweptTools('dies-of-three-bad-calls')), { played, points });
  expect([result?.verdict, result?.call]).toEqual(['crashed', undefined]);
  expect(result?.why).toMatch(/^none of \d+ calls does it alone, of which .* has no answer: its process ended with 5/);
});

it('a server without a bug fails at no point', async () => {
  const results = await sweepInputsOf(overStdio(sweptTools()), { played });
  const shown = results
    .filter(({ verdict }) => !['passed', 'refused'].includes(verdict))
    .map(({ point }) => point.name);
  expect([shown, results.length > 15]).toEqual([[], true]);
});

it('a tool that is too slow for any call is not accused', async () => {
  const points = ['edge-strings@code', 'edge-structures@code'];
  const results = await sweepInputsOf(overStdio(sweptTools('never-answers-code')), { played, points });
  const why = 'the tool does not answer {} within 2000 ms either: give it more with --deadline';
  expect(results.map(({ verdict, why }) => [verdict, why])).toEqual(points.map(() => ['unreached', why]));
});
