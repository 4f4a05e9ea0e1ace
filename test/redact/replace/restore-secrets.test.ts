import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { exportableName } from '../../../src/redact/replace/placeholder-format.ts';
import { missingSecrets, restored } from '../../../src/redact/replace/restore-secrets.ts';
import { client } from '../../support/conversation.ts';

const env = { API_TOKEN: 'q7Zk29xLmP0vRt41"\\' };

it('what was taken out of a message can be put back', () => {
  const message = client({ id: 1, params: { header: `Bearer ${env.API_TOKEN}`, note: 'x' } });
  const kept = createRedactor({ env }).frame(message);
  expect(kept).not.toEqual(message);
  expect(missingSecrets([kept], {})).toEqual(['API_TOKEN']);
  expect(missingSecrets([kept], env)).toEqual([]);
  expect(JSON.stringify(restored(kept, env))).toBe(JSON.stringify(message));
});

it('what is not known stays, and a frame without placeholders is the very same', () => {
  const message = client({ a: '[redacted:API_TOKEN:1] [redacted:password:2]' });
  const [one, two] = [restored(message, env), restored(message, {})];
  expect(one.kind === 'message' && one.json.value).toEqual({ a: `${env.API_TOKEN} [redacted:password:2]` });
  expect(two).toBe(message);
  expect(missingSecrets([message], {})).toEqual(['API_TOKEN', 'password_2']);
});

it('several secrets of one name are given by their numbers', () => {
  const message = client({ a: '[redacted:password:1]', b: '[redacted:password:2]' });
  const source = { password: 'one', password_2: 'two' };
  expect(restored(message, source)).toMatchObject({ json: { text: '{"a":"one","b":"two"}' } });
  expect(missingSecrets([message], source)).toEqual([]);
  expect(missingSecrets([message], { password_2: 'two' })).toEqual(['password']);
  expect(missingSecrets([message], { password_1: 'one', password_2: 'two' })).toEqual([]);
});

it('the form of a name that a shell can export is its name, too', () => {
  const message = client({ a: '[redacted:github-token:1]', b: '[redacted:github-token:2]' });
  const text = (source: Record<string, string>) => JSON.stringify(restored(message, source));
  for (const name of ['github-token', 'github_token', 'GITHUB_TOKEN']) {
    expect(missingSecrets([message], { [name]: 'one' })).toEqual(['github-token_2']);
    expect(missingSecrets([message], { [name]: 'one', [`${name}_2`]: 'two' })).toEqual([]);
    expect(text({ [name]: 'one', [`${name}_2`]: 'two' })).toContain('{\\"a\\":\\"one\\",\\"b\\":\\"two\\"}');
  }
  expect(text({ 'github-token': 'own', GITHUB_TOKEN: 'other' })).not.toContain('other');
  expect(missingSecrets([message], { TOKEN: 'one', 'GITHUB-TOKEN': 'one' })).toEqual([
    'github-token',
    'github-token_2',
  ]);
  expect(['github-token', 'api.key', 'password'].map(exportableName)).toEqual(['GITHUB_TOKEN', 'API_KEY', 'password']);
});

it('a name in camel case has the variable that is usual for it, too', () => {
  const message = client({ a: '[redacted:apiKey:1]', b: '[redacted:apiKey:2]' });
  for (const name of ['apiKey', 'API_KEY', 'APIKEY'])
    expect(missingSecrets([message], { [name]: 'one', [`${name}_2`]: 'two' })).toEqual([]);
  expect(missingSecrets([message], { apikey: 'one' })).toEqual(['apiKey', 'apiKey_2']);
});

describe.each(['base64', 'hex'] as const)('a placeholder in %s', (encoding) => {
  const encoded = (text: string): string => Buffer.from(text).toString(encoding);
  const config = 'host: db.example\ntoken: q7Zk29xLmP0vRt41\npool: 5\n';
  const message = client({ id: 1, params: { name: 'apply', arguments: { file: `data:;${encoded(config)}` } } });
  const kept = createRedactor({ env: { TOKEN: 'q7Zk29xLmP0vRt41' } }).frame(message);

  it('is replaced by its secret, and encoded again', () => {
    expect(kept).not.toEqual(message);
    expect(restored(kept, { TOKEN: 'q7Zk29xLmP0vRt41' })).toEqual(message);
    expect(restored(kept, { OTHER: 'x' })).toBe(kept);
  });

  it('is replaced by the encoded secret where it stands alone, also if the secret is short', () => {
    for (const secret of ['q7Wd-zzRt-91xK', 'abc', 'q7Zk29xLmP0vRt41q7Zk29xLmP0vRt41']) {
      const alone = client({ a: `is ${encoded('[redacted:TOKEN:1]')}` });
      expect(restored(alone, { TOKEN: secret })).toEqual(client({ a: `is ${encoded(secret)}` }));
    }
  });

  it('needs its secret', () => {
    expect(missingSecrets([kept], {})).toEqual(['TOKEN']);
    expect(missingSecrets([kept], { TOKEN: 'x' })).toEqual([]);
  });

  it('is replaced within another encoding, too', () => {
    const nested = client({ a: encoded(`first ${encoded('a token: [redacted:TOKEN:1], then more')} last`) });
    const expected = client({ a: encoded(`first ${encoded('a token: other-secret, then more')} last`) });
    expect(restored(nested, { TOKEN: 'other-secret' })).toEqual(expected);
  });
});

it('the value of a name is that of its first secret only: others are named with their numbers', () => {
  const message = client({ a: '[redacted:customer:1]', b: '[redacted:customer:14]' });
  expect(missingSecrets([message], { customer: '100' })).toEqual(['customer_14']);
  expect(missingSecrets([message], { customer: '100', customer_14: '114' })).toEqual([]);
});
