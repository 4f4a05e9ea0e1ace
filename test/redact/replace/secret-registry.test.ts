import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { SecretRegistry } from '../../../src/redact/replace/secret-registry.ts';

it('a secret is one in every spelling of URLs in URLs, and all of them are looked for', () => {
  const soughtFor: string[] = [];
  const secrets = new SecretRegistry({ add: (value) => void soughtFor.push(value) });
  const spellings = ['q9w8/e7r6', 'q9w8%2Fe7r6', 'q9w8%252Fe7r6'];
  for (const spelling of [...spellings].reverse())
    expect(secrets.placeholder('key', spelling)).toBe('[redacted:key:1]');
  expect(soughtFor).toEqual(expect.arrayContaining(spellings));
  expect(secrets.learnt).toHaveLength(1);
});

it('a secret that is encoded thousands of times over is one that is not decoded', () => {
  const value = `x-%${'25'.repeat(30_000)}41abc1x`;
  expect(createRedactor({ env: {} }).text(`password=${value}`)).toBe('password=[redacted:password:1]');
});

it('a known secret is found where only some of its characters are escaped', () => {
  const { text } = createRedactor({ env: { DB_PASSWORD: 'p@ss:w/r d9' } });
  expect(text('to p%40ss:w/r%20d9, %ff and %E4%BD%A0')).toBe('to [redacted:DB_PASSWORD:1], %ff and %E4%BD%A0');
});

it('what may stay may stay where only some of it is escaped', () => {
  const { text } = createRedactor({ env: { DB_PASSWORD: 'p@ss:w/r d9' }, allow: ['see p@ss:w/r d9'] });
  expect(text('see p%40ss:w/r%20d9')).toBe('see p%40ss:w/r%20d9');
});

it('numbers of placeholders that were there before go as far as a placeholder can tell', () => {
  const { text } = createRedactor({ env: {} });
  expect(text('password=[redacted:password:999999999] password=abc123x')).toBe(
    'password=[redacted:password:999999999] password=[redacted:password:1]',
  );
});
