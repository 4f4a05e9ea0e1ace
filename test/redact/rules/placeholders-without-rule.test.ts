import { expect, it } from 'vitest';
import { compileTokenForms } from '../../../src/redact/detect/tokens/compile-token-forms.ts';
import { TOKEN_PATTERNS } from '../../../src/redact/detect/tokens/token-patterns.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { placeholdersIn } from '../../../src/redact/replace/placeholder-format.ts';
import { listedWithoutRule, namesWithoutRule } from '../../../src/redact/rules/placeholders-without-rule.ts';
import { rulesForSecrets } from '../../../src/redact/rules/rules-for-secrets.ts';

it('has the names of all kinds of tokens', () => {
  const names = [...TOKEN_PATTERNS, ...compileTokenForms()].map(({ name }) => name);
  expect(namesWithoutRule(names, { rules: [] })).toEqual([]);
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
  expect(namesWithoutRule(names, { rules: [] })).toEqual([]);
});

it('has not those of rules that were not given', () => {
  const names = ['customer', 'iban', 'pattern', 'rule', 'x-acme', 'ACME', 'card1'];
  expect(namesWithoutRule(names, { rules: [] })).toEqual(names);
  const given = [{ pattern: 'CUST', name: 'customer' }, { key: 'IBAN' }, { key: /^card\d$/ }, { pattern: 'x' }];
  expect(namesWithoutRule(names, { rules: given })).toEqual(['rule', 'x-acme', 'ACME']);
  expect(namesWithoutRule(names, { rules: [{ pointer: '/params/arguments/*' }] })).toEqual([]);
  expect(namesWithoutRule(['rows'], { rules: [{ pointer: '/params/rows' }] })).toEqual([]);
});

it('has those that a cassette lists as names of rules, whatever they are', () => {
  const names = ['ACME_TOKEN', 'password', 'github-token', 'x-card-1', 'other'];
  const listed = ['acme_token', 'password', '/^x-card-\\d$/i'];
  expect(listedWithoutRule(names, { rules: [], listed })).toEqual(['ACME_TOKEN', 'password', 'x-card-1']);
  expect(namesWithoutRule(names, { rules: [], listed })).toEqual(['other']);
  const given = [{ pattern: 'acme', name: 'ACME_TOKEN' }, { key: 'password' }, { key: /^x-card-\d$/ }];
  expect(listedWithoutRule(names, { rules: given, listed })).toEqual([]);
  // A rule for the value of a variable finds no other value of the form.
  const ofValue = rulesForSecrets({ ACME_TOKEN: 'acme-1234-5678' });
  expect(listedWithoutRule(names, { rules: ofValue, listed: ['ACME_TOKEN'] })).toEqual(['ACME_TOKEN']);
  expect(listedWithoutRule(['a'], { rules: [], listed: ['/(?=a)/'] })).toEqual(['a']);
});

it('takes the name of a variable for that of a rule, if no list says otherwise and nothing explains it', () => {
  const names = ['ACME_TOKEN', 'password', 'github-token'];
  expect(namesWithoutRule(names, { rules: [] }, () => false)).toEqual(['ACME_TOKEN']);
  expect(namesWithoutRule(names, { rules: [], listed: [] }, () => false)).toEqual([]);
});
