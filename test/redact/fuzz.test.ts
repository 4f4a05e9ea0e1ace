import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { anyCharacter } from '../support/fuzz.ts';
import { jsonValue } from '../support/json.ts';
import { KINDS } from './planted.ts';

const SECRET = 'Qx7-kV/2p+"Zt';

/** Texts in which much of what a redactor looks for begins, ends and is cut off. */
const piece = fc.oneof(
  fc.constantFrom(...KINDS.flatMap(({ text, secret }) => [text, secret, text.slice(0, -3)])),
  fc.constantFrom(
    'password',
    '=',
    ': ',
    '"',
    '\\',
    '\\"',
    "'",
    '%',
    '%22',
    '%3D',
    '\n',
    ' ',
    '--token',
    '[redacted:',
    ':1]',
  ),
  fc.constantFrom(SECRET, encodeURIComponent(SECRET), Buffer.from(`: ${SECRET}!`).toString('base64')),
  fc.constantFrom(
    '-----BEGIN PRIVATE KEY-----',
    'eyJ',
    '://',
    '@',
    'Bearer ',
    'Basic ',
    '{',
    '}',
    '[',
    ']',
    '{"token":"',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const key = fc.oneof(
  fc.constantFrom('password', 'apiKey', 'token', 'text', 'env', 'args', 'inputSchema', 'name', 'value'),
  text,
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    jsonValue,
    text.map((inner) => JSON.stringify({ inner })),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));
const message = fc.record({ id: fc.nat(), method: fc.string(), params: value }, { requiredKeys: ['params'] });

const fresh = () => createRedactor({ env: { DEPLOY_TOKEN: SECRET } });
const withoutStrings = (json: string) => json.replace(/"(?:[^"\\]|\\.)*"/g, '""');

describe('whatever a text is', () => {
  it('it is redacted without a throw, and once is enough', () => {
    fc.assert(
      fc.property(text, (input) => {
        const redactor = fresh();
        const once = redactor.text(input);
        expect(redactor.text(once)).toBe(once);
        expect(fresh().text(once)).toBe(once);
        const url = redactor.url(input);
        expect(redactor.url(url)).toBe(url);
        expect(once).not.toContain(SECRET);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('whatever a message is', () => {
  it('it stays JSON, of the same tokens but for its strings', () => {
    fc.assert(
      fc.property(message, fc.constantFrom(undefined, 1, '\t'), (input, space) => {
        const json = new JsonText(JSON.stringify(input, null, space));
        const safe = fresh().json(json);
        expect(() => safe.value).not.toThrow();
        if (!/"\[redacted:[^"]*"(?!\s*:)/.test(safe.text))
          expect(withoutStrings(safe.text)).toBe(withoutStrings(json.text));
        expect(safe.text).not.toContain(JSON.stringify(SECRET).slice(1, -1));
      }),
      { numRuns: 1_000 },
    );
  });

  it('it is redacted once and for all', () => {
    fc.assert(
      fc.property(message, (input) => {
        const redactor = fresh();
        const once = redactor.json(new JsonText(JSON.stringify(input)));
        expect(redactor.json(once)).toBe(once);
        expect(fresh().json(once)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });

  it('the same secret has the same placeholder in all of it', () => {
    const place = fc.constantFrom<(secret: string) => unknown>(
      (secret) => secret,
      (secret) => `so: ${secret}.`,
      (secret) => ({ password: secret }),
      (secret) => JSON.stringify({ a: { api_key: secret } }),
      (secret) => ['--token', secret],
      (secret) => `https://h.example/?q=${encodeURIComponent(secret)}`,
      (secret) => ({ name: 'SECRET', value: secret }),
    );
    const secret = fc.stringMatching(/^[a-z]{3}\d{3}[A-Z/+ ]{3}[a-z\d]{6}$/);
    fc.assert(
      fc.property(secret, fc.array(place, { minLength: 1, maxLength: 6 }), (planted, places) => {
        const params = [{ password: planted }, ...places.map((at) => at(planted))];
        const safe = createRedactor({ env: {} }).json(new JsonText(JSON.stringify({ method: 'x', params })));
        const found = [...safe.text.matchAll(/\[redacted:[^\]]*\]/g)].map(([placeholder]) => placeholder);
        expect(found.length).toBeGreaterThanOrEqual(params.length);
        expect(new Set(found)).toEqual(new Set(['[redacted:password:1]']));
      }),
    );
  });
});
