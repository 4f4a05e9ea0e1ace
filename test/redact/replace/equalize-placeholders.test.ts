import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalizePlaceholders } from '../../../src/redact/replace/equalize-placeholders.ts';
import { anyCharacter } from '../../support/fuzz.ts';

const [one, two] = ['[redacted:token:1]', '[redacted:other:2]'];
const around = (placeholder: string) => `a rather long text around ${placeholder}, and some more of it`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');

describe('texts with other placeholders are alike', () => {
  it.each([
    ['in plain text', (placeholder: string) => `key ${placeholder} and ${placeholder}`],
    ['in base64', (placeholder: string) => `blob ${base64(around(placeholder))}`],
    ['in UTF-16 in base64', (placeholder: string) => Buffer.from(around(placeholder), 'utf16le').toString('base64')],
    ['in hexadecimal', (placeholder: string) => `blob ${hex(around(placeholder))}`],
    ['in base64 in base64', (placeholder: string) => base64(`again ${base64(around(placeholder))}`)],
    ['in a part of a path', (placeholder: string) => `/api/${base64(around(placeholder))}/end`],
  ])('%s', (_, made) => {
    expect(equalizePlaceholders(made(one))).toBe(equalizePlaceholders(made(two)));
    expect(equalizePlaceholders(made(one))).not.toBe(equalizePlaceholders(made('[redacted'.padEnd(one.length, 'x'))));
  });
});

it('what stands around them makes a difference', () => {
  expect(equalizePlaceholders(base64(around(one)))).not.toBe(equalizePlaceholders(base64(`${around(two)}!`)));
  expect(equalizePlaceholders(`a ${one}`)).not.toBe(equalizePlaceholders(`b ${one}`));
});

it('a text without placeholders stays as it is', () => {
  const encoded = fc
    .string({ unit: anyCharacter, maxLength: 60 })
    .chain((text) => fc.constantFrom(text, base64(text), hex(text), `/${base64(text)}/${hex(text)}`));
  fc.assert(fc.property(encoded, (text) => equalizePlaceholders(text) === text));
});
