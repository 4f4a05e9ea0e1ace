import { expect, it } from 'vitest';
import { createRedactor } from '../../src/redact/redactor.ts';
import type { RedactionRule } from '../../src/redact/rules/compile-redaction-rules.ts';
import { credentialKey, sentCredentials } from '../../src/redact/sent-credential-placeholders.ts';

const [TOKEN, OTHER] = ['parcelOpaque55Xyz789Qq', 'someoneElses77Abc123Rr'];
const sentBy = (headers: Record<string, string>, env: Record<string, string> = {}, rules: RedactionRule[] = []) =>
  Object.fromEntries(
    [...sentCredentials(createRedactor({ env, headers, rules }), { env, headers })].map(([key, live]) => [
      key,
      [...live],
    ]),
  );

it('names a credential after its header, and after each variable with its value', () => {
  const authorization = `Bearer ${TOKEN}`;
  expect(sentBy({ authorization })).toEqual({ 'AUTHORIZATION:1': ['[redacted:authorization:1]'] });
  const live = ['[redacted:PARCEL_TOKEN:1]'];
  expect(sentBy({ authorization }, { PARCEL_TOKEN: TOKEN, MY_TOKEN: TOKEN, OTHER_TOKEN: OTHER })).toEqual({
    'PARCEL_TOKEN:1': live,
    'MY_TOKEN:1': live,
    'AUTHORIZATION:1': live,
  });
  expect(sentBy({ 'x-api-key': TOKEN })).toEqual({ 'X_API_KEY:1': ['[redacted:x-api-key:1]'] });
});

it('has the password of Basic credentials, and each of several cookies', () => {
  const authorization = `Basic ${Buffer.from(`ann:${TOKEN}`).toString('base64')}`;
  expect(Object.keys(sentBy({ authorization }))).toEqual(['AUTHORIZATION:1', 'AUTHORIZATION:2']);
  expect(Object.keys(sentBy({ cookie: `sid=${TOKEN}; csrf=${OTHER}` }))).toEqual(['COOKIE:1', 'COOKIE:2']);
});

it('has the password of Basic credentials under the name of a variable or a rule', () => {
  const authorization = `Basic ${Buffer.from(`ann:${TOKEN}`).toString('base64')}`;
  expect(sentBy({ authorization }, { PARCEL_TOKEN: TOKEN })).toMatchObject({
    'PARCEL_TOKEN:1': ['[redacted:PARCEL_TOKEN:1]'],
  });
  expect(sentBy({ authorization }, {}, [{ pattern: 'parcelOpaque\\w+', name: 'parcel' }])).toMatchObject({
    'PARCEL:1': ['[redacted:parcel:1]'],
  });
});

it('has nothing of variables that no header sends, and of headers without a credential', () => {
  expect(sentBy({ accept: 'application/json' }, { PARCEL_TOKEN: TOKEN })).toEqual({});
});

it('compares names in any case, with _ for - and .', () => {
  const keys = ['x-api-key', 'X_API_KEY', 'X-Api.Key'].map((name) => credentialKey({ name, n: 2 }));
  expect(keys).toEqual(['X_API_KEY:2', 'X_API_KEY:2', 'X_API_KEY:2']);
});
