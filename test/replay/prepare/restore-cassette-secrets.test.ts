import { expect, it } from 'vitest';
import { type NextStep, restoreCassetteSecrets } from '../../../src/replay/prepare/restore-cassette-secrets.ts';
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
const nextStep: NextStep = (missing, state) => `${missing.join()} ${state}`;

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
  ['is not named', {}, 'secrets were taken out of it: API_TOKEN', 'API_TOKEN unlisted'],
  ['has no value', { API_TOKEN: undefined }, 'these have no value: API_TOKEN', 'API_TOKEN unset'],
  [
    'of the other side is named without a value',
    { API_TOKEN: 'abc', DB_PASSWORD: undefined },
    'these have no value: DB_PASSWORD',
    'DB_PASSWORD unset',
  ],
  ['is empty', { API_TOKEN: '' }, 'API_TOKEN is empty', 'API_TOKEN empty'],
  ['is white space', { API_TOKEN: ' \n' }, 'API_TOKEN is empty', 'API_TOKEN empty'],
  ['is empty, with its number', { API_TOKEN_1: '' }, 'API_TOKEN is empty', 'API_TOKEN empty'],
  ['of the other side is empty', { API_TOKEN: 'abc', DB_PASSWORD_1: '' }, 'DB_PASSWORD is empty', 'DB_PASSWORD empty'],
  [
    'is empty beside one without a value',
    { API_TOKEN: '', DB_PASSWORD: undefined },
    'these have no value: DB_PASSWORD; API_TOKEN is empty; first API_TOKEN in line 1, DB_PASSWORD in line 2',
    'API_TOKEN,DB_PASSWORD empty',
  ],
  [
    'is empty beside one that is not named',
    { DB_PASSWORD: '' },
    'secrets were taken out of it: API_TOKEN, DB_PASSWORD; DB_PASSWORD is empty; first API_TOKEN in line 1, DB_PASSWORD in line 2',
    'API_TOKEN,DB_PASSWORD unlisted',
  ],
])('is an error where a secret %s', (_, source, why, next) => {
  const problem = { code: 'SECRETS_MISSING', problem: expect.objectContaining({ why, next }) };
  expect(() => restoreCassetteSecrets(recorded, 'client', source, nextStep)).toThrow(expect.objectContaining(problem));
});

it('takes a value under another name of the placeholder, if the first one is empty', () => {
  const { events } = restoreCassetteSecrets(recorded, 'client', { API_TOKEN_1: '', API_TOKEN: 'abc' }, nextStep);
  expect(JSON.stringify(events)).toContain('abc');
});

it('keeps the placeholders that nobody has named, if both sides can be played with them', () => {
  const { events } = restoreCassetteSecrets(recorded, undefined, { API_TOKEN: 'abc' }, nextStep);
  expect(JSON.stringify(events)).toContain('abc');
  expect(JSON.stringify(events)).toContain('[redacted:DB_PASSWORD:1]');
  const unset = { API_TOKEN: 'abc', DB_PASSWORD: undefined };
  expect(() => restoreCassetteSecrets(recorded, undefined, unset, nextStep)).toThrow('DB_PASSWORD');
});
