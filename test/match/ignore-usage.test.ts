import { describe, expect, it } from 'vitest';
import { compileLinear } from '../../src/kernel/linear-regex.ts';
import { IgnoreUsage } from '../../src/match/ignore-usage.ts';

const message = { id: 1, result: { content: [{ text: 'on 2026-01-01' }], at: null } };
const notesAfter = (rule: string | RegExp, ...messages: unknown[]) => {
  const usage = new IgnoreUsage([{ name: 'it', rule: typeof rule === 'string' ? rule : compileLinear(rule) }]);
  for (const one of messages) usage.see(one);
  return usage.notes();
};

describe('IgnoreUsage', () => {
  it.each(['/result/at', '/result/content/0/text', '/result/content/*/text', '/*/at', '/id', /\d{4}/, /on/])(
    '%s matches',
    (rule) => expect(notesAfter(rule, {}, message, [])).toEqual([]),
  );
  it.each([
    '/result/ta',
    '/result/content/1',
    '/result/content/length',
    '/result/at/x',
    '/*/b',
    /\d{5}/,
    /x*/,
    /result/,
  ])('%s matches nothing', (rule) =>
    expect(notesAfter(rule, {}, message)).toEqual(['it matched nothing: is it misspelled?']),
  );
  it('is an ignore rule that sees each message, and changes none', () => {
    const usage = new IgnoreUsage([{ name: 'it', rule: '/id' }]);
    const { observer } = usage;
    expect(typeof observer === 'function' && observer(message)).toBe(message);
    expect(usage.notes()).toEqual([]);
  });
});
