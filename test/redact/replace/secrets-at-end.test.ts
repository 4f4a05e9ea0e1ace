import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { secretsAtEnd } from '../../../src/redact/replace/secret-match.ts';

it('finds the last group of each match, without the flag that tells where groups are', () => {
  const text = 'a=1 b=22 c=333';
  const finds = secretsAtEnd('x', text, /(\w)=(\d+)/g, (value, match) => value !== '22' && match[1] !== 'b');
  expect(finds).toEqual([
    { name: 'x', start: 2, end: 3 },
    { name: 'x', start: 11, end: 14 },
  ]);
});

it.each([
  ['http://ann:k9Lm2xQz@a/b@c http://bob:x7Tq4mWv@d', 'http://ann:[1]@a/b@c http://bob:[2]@d'],
  ['curl -u "ann:k9Lm2xQz" -u \'bob:x7Tq4mWv\'', 'curl -u "ann:[1]" -u \'bob:[2]\''],
  ['mysql -p"k9 Lm2xQz" -px7Tq4mWv', 'mysql -p"[1]" -p[2]'],
])('a secret is replaced where it is: %s', (text, expected) => {
  const redacted = createRedactor({ env: {} }).text(text);
  expect(redacted.replaceAll(/\[redacted:[\w-]+:(\d)\]/g, '[$1]')).toBe(expected);
});
