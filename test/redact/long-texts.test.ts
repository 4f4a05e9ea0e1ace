import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/redact/redactor.ts';

const LENGTH = 300_000;

/** Each ends like a name, and is its own value. */
const NAMES = ['password=', 'token: ', 'cookie: a=', 'authorization: digest a=', 'api_key->'];

describe('a text that is nothing but names and marks', () => {
  // One value in another would each be followed to the end of the text: minutes.
  it.each([
    ...NAMES,
    'password=f(',
    'password=)',
    'secret=a.b(',
    '"api_key": "\\',
    '--token ',
    'a&quot;',
    '["password","',
  ])('such as %s is looked through', (unit) => {
    const text = unit.repeat(LENGTH / unit.length);
    expect(createRedactor({ env: {} }).text(text).length).toBeLessThan(2 * LENGTH);
  });

  it.each(NAMES)('such as %s is a few secrets, and not one of each name', (unit) => {
    const { text, learnt } = createRedactor({ env: {} });
    text(unit.repeat(100));
    expect(learnt().length).toBeLessThan(10);
  });

  it('and secrets in it are found', () => {
    const { text } = createRedactor({ env: {} });
    expect(text('credentials=password=hunter2-x')).toBe('credentials=[redacted:credentials:1]');
    expect(text('hunter2-x')).toBe('[redacted:password:1]');
    expect(text(`password=${'q7w8e9r-'.repeat(500)}, and on`)).toBe('password=[redacted:password:2], and on');
  });
});

describe('a long value that repeats itself', () => {
  const value = 'xoxb-a1b2c3'.repeat(3_000);

  it('is found, and does not have every part of a text compared with it', () => {
    const { text } = createRedactor({ env: { SLACK_TOKEN: value } });
    expect(text(`now ${value} then`)).toBe('now [redacted:SLACK_TOKEN:1] then');
    expect(text(`a${value.repeat(30)}`).length).toBeLessThan(value.length);
  });
});
