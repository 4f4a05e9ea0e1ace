import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRedactor } from '../../../../src/redact/redactor.ts';

/** Printable ASCII without quotes and backslashes, which every format reads in its own way. */
const OTHERS = '!#$%&()*+,-./:;<=>?@[]^_{|}~';
const WORDS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Passwords of a generator that takes any character: two letters or digits for each other one. */
const PASSWORDS = fc.sample(
  fc
    .array(fc.constantFrom(...WORDS, ...WORDS, ...OTHERS), { minLength: 20, maxLength: 31 })
    .map((characters) => characters.join('')),
  { seed: 19, numRuns: 300 },
);
/** Share of the passwords that may keep characters: those that look like code, or like several values. */
const KEPT_MAX = 0.08;
/** Length of a piece that says something about a password. */
const PIECE = 4;

const inXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const asIs = (password: string) => password;

/** What is before and after a password, and how it is written there. */
const PLACES: readonly [place: string, before: string, after: string, write?: (password: string) => string][] = [
  ['a line of a file with settings', 'user=x\npassword=', '\nport=80'],
  ['an assignment with blanks', 'password = ', ''],
  ['a line of YAML', 'db:\n  password: ', '\n  port: 80'],
  ['a line of a .env file', 'PORT=80\nDB_PASSWORD=', '\nHOST=x'],
  ['an exported variable', 'export DB_PASSWORD=', '\n'],
  ['a quoted text', 'password = "', '"'],
  ['a text in single quotes', "password: '", "'"],
  ['a line of a header', 'X-Api-Key: ', '\r\nAccept: x\r\n'],
  ['JSON', '{"user":"x","password":"', '"}'],
  ['an element of XML', '<user>x</user><password>', '</password><port>80</port>', inXml],
  ['an attribute of XML', '<db user="x" password="', '" port="80"/>', inXml],
  ['the user of a URL', 'postgres://me:', '@db.example/x', encodeURIComponent],
  ['the query of a URL', 'https://a.example/x?user=a&password=', '&b=c', encodeURIComponent],
  ['a form', 'grant=x&password=', '&user=ann', encodeURIComponent],
  ['an option', 'tool --password=', ' --verbose'],
  ['an option and a word', 'tool --password ', ' --verbose'],
  ['a line of a log', 'INFO log in password=', ' user=x'],
];

it.each(PLACES)('a generated password is redacted whole in %s', (_, before, after, write = asIs) => {
  const kept = PASSWORDS.filter((password) => {
    const written = write(password);
    const text = createRedactor({ env: {} }).text(`${before}${written}${after}`);
    return pieces(written).some((piece) => text.includes(piece));
  });
  expect(kept.length, kept.join('\n')).toBeLessThanOrEqual(KEPT_MAX * PASSWORDS.length);
});

function pieces(text: string): string[] {
  return Array.from({ length: text.length - PIECE + 1 }, (_, at) => text.slice(at, at + PIECE));
}
