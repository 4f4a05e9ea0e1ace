import { describe, expect, it } from 'vitest';
import { assignedNames } from '../../../../src/redact/detect/assignments/assignments.ts';
import { NAME_GRAMS } from '../../../../src/redact/detect/credential-names.ts';
import { emptyTrigramTable, MAY_HOLD, mark, scanText } from '../../../../src/redact/fast-prefilter/trigram-scan.ts';

const marks = emptyTrigramTable();
for (const gram of NAME_GRAMS) mark(marks, gram, MAY_HOLD.name);

function names(text: string): (string | undefined)[] {
  return [...assignedNames(text, scanText(text, marks))].map(([, name]) => name);
}

describe('a name that something is assigned to', () => {
  it.each([
    ['password=x', 'password'],
    ['"api_key": "x"', 'api_key'],
    ['run --token x', '--token'],
    ['<secret>x</secret>', 'secret'],
    ['the token is x', 'token'],
    ['token->x', 'token'],
    ['my.pwd|x', 'my.pwd'],
    ['{$Auth_Token: x', '$Auth_Token'],
  ])('is found in %s', (text, name) => expect(names(text)).toEqual([name]));

  it.each([
    ['API key: x', 'API key'],
    ['the access token: x', 'access token'],
    ['encryption key=x', 'encryption key'],
    ['access private key: x', 'private key'],
  ])('may be two words, as in %s', (text, name) => expect(names(text)).toEqual([name]));

  it('begins where a word does', () => {
    expect(names('---token=x')).toEqual([]);
    expect(names('9token=x')).toEqual([]);
    expect(names('myapi key: x')).toEqual(['key']);
    expect(names(`${'x'.repeat(70)}token=x`)).toEqual([]);
    expect(names(`${'x'.repeat(60)}token=x`)).toEqual([`${'x'.repeat(60)}token`]);
  });

  it('is found behind one that was, and once', () => {
    expect(names('secret token: x, pwd-token-key=y')).toEqual(['secret token', 'pwd-token-key']);
    expect(names('secret api key: x')).toEqual(['secret api', 'key']);
  });

  it('is not looked for where no piece of a credential stands', () => expect(names('name=x size: y')).toEqual([]));
});
