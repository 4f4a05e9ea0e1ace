import { expect, it } from 'vitest';
import { commonPasswordHints } from '../../../src/cli/reports/redact-check-hints.ts';

const hints = (text: string) => commonPasswordHints([{ file: 'a.yaml', text }]);

it.each([
  'secret: changeme',
  'token: abc',
  'password: letmein',
  '        password: "hunter2"',
  "db_password: 'admin'",
  'text: "{\\"password\\": \\"changeme\\"}"',
  '{"passwd":"123456"}',
  'PASSWORD=welcome',
])('warns of a common word under the name of a password, with its place, and without its value: %s', (line) => {
  const [hint] = hints(`first\n${line}\n`);
  expect(hint).toMatch(/^hint: 1 line \(a\.yaml:2\) has a common word/);
  expect(hint).not.toMatch(/letmein|hunter2|welcome/);
});

it.each([
  'password: "[redacted:password:1]"',
  'password: string',
  'token: abcdef-counter',
  'passwordless: admin',
  'password: secret-store',
  'maxTokens: 100',
  'tokens: 123',
  'the password is of the admin',
])('says nothing of %s', (line) => {
  expect(hints(line)).toEqual([]);
});

it('names five places, and counts all', () => {
  const text = Array(7).fill('password: changeme').join('\n');
  expect(hints(text)[0]).toMatch(/^hint: 7 lines \(a\.yaml:1, a\.yaml:2, .*a\.yaml:5, …\) have/);
});
