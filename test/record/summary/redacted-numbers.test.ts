import { expect, it } from 'vitest';
import { redactedNumbersWarning } from '../../../src/record/summary/redacted-numbers.ts';
import type { RedactedValue } from '../../../src/record/summary/redacted-values.ts';

const value = (pointer: string, placeholder = '[redacted:seq:1]', from: RedactedValue['from'] = 'server') => ({
  ...{ placeholder, pointer, from, kind: 'seq', line: 20, where: 'response to tools/call "account"' },
});
const warning = (...values: RedactedValue[]) => redactedNumbersWarning('a.yaml', values, (one) => one.includes('seq'));

it('names the first number of a structured result, why clients refuse it, and what to do', () => {
  const text = warning(value('/result/structuredContent/seq'), value('/result/structuredContent/all/0'));
  expect(text).toContain(
    'a.yaml:20 response to tools/call "account" has [redacted:seq:1] at /result/structuredContent/seq (and 1 more such value), in place of a number.',
  );
  expect(text).toMatch(/outputSchema.*--redact-allow VALUE/);
});

it('leaves out texts, other places, and what the client sent', () => {
  expect(warning(value('/result/structuredContent/name', '[redacted:name:1]'))).toBeUndefined();
  expect(warning(value('/result/content/0/text'))).toBeUndefined();
  expect(warning(value('/result/structuredContent/seq', '[redacted:seq:1]', 'client'))).toBeUndefined();
});
