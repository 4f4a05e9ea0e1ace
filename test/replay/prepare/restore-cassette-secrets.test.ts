import { expect, it } from 'vitest';
import { restoreCassetteSecrets } from '../../../src/replay/prepare/restore-cassette-secrets.ts';
import { call, cassette, client, server } from '../../support/conversation.ts';

const text = (value: string) => ({
  jsonrpc: '2.0' as const,
  id: 1,
  result: { content: [{ type: 'text', text: value }] },
});
const recorded = cassette(
  client(call(1, 'login', { token: '[redacted:API_TOKEN:1]' })),
  server(text('[redacted:DB_PASSWORD:1]')),
);
const nextStep = (missing: readonly string[], isListed: boolean): string => `${missing.join()} ${isListed}`;

it('puts the secrets into the messages of both sides', () => {
  const { events } = restoreCassetteSecrets(recorded, 'client', { API_TOKEN: 'abc', DB_PASSWORD: 'def' }, nextStep);
  expect(JSON.stringify(events)).toContain('abc');
  expect(JSON.stringify(events)).toContain('def');
});

it('needs those of the played side only', () => {
  const { events } = restoreCassetteSecrets(recorded, 'client', { API_TOKEN: 'abc' }, nextStep);
  expect(JSON.stringify(events)).toContain('[redacted:DB_PASSWORD:1]');
});

it.each([
  ['is not named', {}, 'secrets were taken out of it: API_TOKEN', 'API_TOKEN false'],
  ['has no value', { API_TOKEN: undefined }, 'these have no value: API_TOKEN', 'API_TOKEN true'],
  [
    'of the other side is named without a value',
    { API_TOKEN: 'abc', DB_PASSWORD: undefined },
    'these have no value: DB_PASSWORD',
    'DB_PASSWORD true',
  ],
])('is an error where a secret %s', (_, source, why, next) => {
  const problem = { code: 'SECRETS_MISSING', problem: expect.objectContaining({ why, next }) };
  expect(() => restoreCassetteSecrets(recorded, 'client', source, nextStep)).toThrow(expect.objectContaining(problem));
});
