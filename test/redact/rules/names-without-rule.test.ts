import { expect, it } from 'vitest';
import { compileTokenForms } from '../../../src/redact/detect/tokens/compile-token-forms.ts';
import { TOKEN_PATTERNS } from '../../../src/redact/detect/tokens/token-patterns.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { placeholdersIn } from '../../../src/redact/replace/placeholders.ts';
import { namesWithoutRule } from '../../../src/redact/rules/names-without-rule.ts';

it('has the names of all kinds of tokens', () => {
  const names = [...TOKEN_PATTERNS, ...compileTokenForms()].map(({ name }) => name);
  expect(namesWithoutRule(names, [])).toEqual([]);
});

it('has the names that a redactor without rules writes', () => {
  const redactor = createRedactor({ env: { DB_PASS: 'correct-horse-7' } });
  const texts = [
    'Authorization: Bearer k3J9xQ7vLm2Zp8Rw, Authorization: Basic YWRhOmNvcnJlY3QtaG9yc2U=',
    'postgres://ada:hunter2hunter2@db.example/x',
    'https://a.example/cb?code=k3J9xQ7vLm2Zp8RwT5&state=1',
    'sshpass -p hunter2hunter2 ssh a',
    'password: hunter2hunter2, correct-horse-7',
  ];
  const names = texts.flatMap((text) => placeholdersIn(redactor.text(text)).map(({ name }) => name));
  expect(names.length).toBeGreaterThan(4);
  expect(namesWithoutRule(names, [])).toEqual([]);
});

it('has not those of rules that were not given', () => {
  const names = ['customer', 'iban', 'pattern', 'rule', 'x-acme', 'ACME', 'card1'];
  expect(namesWithoutRule(names, [])).toEqual(names);
  const given = [{ pattern: 'CUST', name: 'customer' }, { key: 'IBAN' }, { key: /^card\d$/ }, { pattern: 'x' }];
  expect(namesWithoutRule(names, given)).toEqual(['rule', 'x-acme', 'ACME']);
  expect(namesWithoutRule(names, [{ pointer: '/params/arguments/*' }])).toEqual([]);
  expect(namesWithoutRule(['rows'], [{ pointer: '/params/rows' }])).toEqual([]);
});
