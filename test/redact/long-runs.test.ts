import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

/** An expression that keeps state for each character ends with an error after some millions. */
const LENGTH = 7_000_000;

function repeated(unit: string, length: number = LENGTH): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

const letters = repeated('aB3d');

/** Texts whose secret, or what might be one, has no end for long. */
const TEXTS: readonly [kind: string, text: () => string][] = [
  ['base64 of JSON', () => `eyJ${letters}`],
  ['beginnings of a JSON Web Token', () => repeated('eyJ')],
  ['two parts of a JSON Web Token', () => `eyJ${repeated('a', 4_000_000)}.eyJ${repeated('b', 4_000_000)}`],
  ['token', () => `ghp_${letters}`],
  ['token with digits', () => `xoxb-${repeated('1234567890-aB')}`],
  ['token with a dot', () => `SG.${letters}`],
  ['private key in one line', () => `-----BEGIN PRIVATE KEY-----\n${letters}`],
  ['private key in lines', () => `-----BEGIN PRIVATE KEY-----\n${repeated('MIIEpAIBAAKCAQEA1c7\n')}`],
  ['PuTTY key', () => `Private-Lines: 9\n${repeated('MIIEpAIBAAKCAQEA1c7\n')}`],
  ['bearer token', () => `bearer ${letters}`],
  ['Basic credentials', () => `basic ${letters}`],
  ['attributes of a cookie', () => `Cookie: a=b3${repeated(';a')}`],
  ['attributes of a set cookie', () => `Set-Cookie: a=b3${repeated(';a')}`],
  ['commas in a cookie', () => `Set-Cookie: a=${repeated(',')}`],
  ['digest parameters', () => `Authorization: Digest ${repeated('a=b3,')}`],
  ['value of a Kubernetes secret', () => `kind: Secret\ndata:\n  a: ${letters}`],
];

describe('A run of millions of characters is searched without an error', () => {
  it.each(TEXTS)('%s', (_, text) => {
    const redactor = createRedactor({ env: {} });
    redactor.suspicious(redactor.text(text()));
  });
});

/** Values that a JSON message or a header has under the name of a credential. */
const VALUES: readonly [kind: string, value: () => string][] = [
  ['dashes', () => repeated('-')],
  ['one character', () => repeated('a')],
  ['a path', () => repeated('/a')],
  ['properties', () => `a${repeated('.a')}`],
];

describe('A value of millions of characters is judged', () => {
  it.each(VALUES)('%s', (_, value) => {
    const redactor = createRedactor({ env: {} });
    redactor.json(new JsonText(JSON.stringify({ id: 1, result: { password: value(), api_key: value() } })));
    const headers = { authorization: value(), 'set-cookie': `a=${value()}` };
    redactor.frame({
      kind: 'open',
      from: 'client',
      at: 0,
      method: 'GET',
      headers,
      path: `/?token=${value()}`,
    } as Frame);
    redactor.learnHeaders(['authorization', value(), 'cookie', `a=${value()}`]);
  });

  it('and a number', () => {
    const { json } = createRedactor({ env: {} });
    expect(json(new JsonText(`{"password":${repeated('1234567')}}`)).text).toBe('{"password":"[redacted:password:1]"}');
  });
});

describe('A secret of millions of characters is replaced whole', () => {
  it.each([
    [`at ghp_${letters}, that`, 'at [redacted:github-token:1], that'],
    [`at bearer ${letters}, that`, 'at bearer [redacted:bearer:1], that'],
    [`eyJ${letters}.eyJ${letters}.a that`, '[redacted:jwt:1] that'],
    [`Cookie: a=${letters}; b=${letters}`, 'Cookie: a=[redacted:Cookie:1]; b=[redacted:Cookie:1]'],
  ])('%.18s', (text, safe) => {
    const { text: redacted } = createRedactor({ env: {} });
    expect(redacted(text)).toBe(safe);
    expect(redacted(safe)).toBe(safe);
  });
});
