import { describe, expect, it } from 'vitest';
import { differenceWords } from '../../../src/contract/describe-message-difference.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import type { Outcome, Step } from '../../../src/text-report/outcome-model.ts';
import { redactOutcome } from '../../../src/verify/compare/redact-outcome.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const outcome = (...steps: Step[]): Outcome => ({
  title: 'verify',
  file: 'cassette.yaml',
  steps,
  notes: [],
  duration: 1,
});
const { json } = createRedactor({ env: {} });

describe('what is told of a session', () => {
  it('has no secret in it, not even a part of one in a headline that was cut', () => {
    const live = { content: [{ type: 'text', text: `your token is ${TOKEN}` }] };
    const failed: Step = {
      title: 'tools/call "login"',
      status: 'failed',
      headline: `/result/content/0 is new: {"text":"your token is ${TOKEN.slice(0, 20)}…`,
      details: [`it said ${TOKEN}`],
      live,
    };
    const early: Step = { title: `resources/read "x-${TOKEN}"`, status: 'passed' };
    const told = redactOutcome({ ...outcome(early, failed), notes: [`came late: ${TOKEN}`] }, json);
    expect(JSON.stringify(told)).not.toContain(TOKEN.slice(0, 12));
    expect(told.steps[1]).toMatchObject({
      headline: '/result/content/0 is new: … (with a redacted value)',
      details: ['it said [redacted:github-token:1]'],
      live: { content: [{ text: 'your token is [redacted:github-token:1]' }] },
    });
    expect(told.notes).toEqual(['came late: [redacted:github-token:1]']);
  });

  it('says in words that only values differ that may not be shown', () => {
    const step = { title: 'tools/call "login"', status: 'failed' as const, line: 3 };
    const text = (secret: string, rest = '') => ({
      result: { text: `a text of more than forty letters, with ${secret}${rest}` },
    });
    const [recorded, live] = [text(TOKEN), text(TOKEN.replace('a1B2', 'c3D4'))];
    const headlineOf = (before: object, after: object) => {
      const told = { ...step, recorded: before, live: after, headline: differenceWords(before, after) };
      return redactOutcome(outcome(told), createRedactor({ env: {} }).json).steps[0]!.headline;
    };
    expect(headlineOf(text('[redacted:github-token:1]'), live)).toMatch(/^\/result\/text \(".*" → ".*"\)$/s);
    expect(headlineOf(recorded, text(TOKEN, ' and more'))).toMatch(/^\/result\/text \(".*" → ".*and more"\)$/s);
    const alike = (message: JsonText) => new JsonText(message.text.replaceAll(/ghp_\w+/g, '[redacted:github-token:1]'));
    const hidden = { ...step, recorded, live, headline: differenceWords(recorded, live) };
    expect(redactOutcome(outcome(hidden), alike).steps[0]!.headline).toBe(
      'differs only in values that are redacted, and therefore not shown (GITHUB_TOKEN): is a variable missing, or has it another value?',
    );
    const same = { ...step, recorded, live: { result: { text: recorded.result.text } }, headline: 'x' };
    expect(redactOutcome(outcome(same), json).steps[0]!.headline).toBe('x');
  });

  it('is the same where it has none', () => {
    const step: Step = {
      title: 'tools/list',
      status: 'failed',
      headline: 'differs: "a…',
      live: 2,
      recorded: 1,
    };
    expect(redactOutcome(outcome(step), json).steps[0]).toBe(step);
  });
});
