import { describe, expect, it } from 'vitest';
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

describe('a secret that an answer has returned before the client sends it', () => {
  const TOKEN = '[redacted:token:1]';
  const login = [client(call(1, 'login')), server(text(`Your session: ${TOKEN}`))];
  const isNeeded = (...frames: Parameters<typeof cassette>) => {
    try {
      restoreCassetteSecrets(cassette(...frames), 'client', {}, nextStep);
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: 'SECRETS_MISSING', problem: { next: 'token unlisted' } });
      return true;
    }
  };

  it.each([
    ['as a whole', TOKEN],
    ['in a text', `Bearer ${TOKEN}`],
    ['in a URI', `crm://${TOKEN}/customers`],
  ])('is not needed if it is sent %s', (_, value) => {
    expect(isNeeded(...login, client(call(2, 'who', { value })))).toBe(false);
  });

  it('is needed if the client knew it before', () => {
    const known = client(call(0, 'login', { token: TOKEN }));
    expect(isNeeded(known, ...login, client(call(2, 'who', { token: TOKEN })))).toBe(true);
  });

  it('is needed where it cannot be followed, such as in a name, or in base64', () => {
    const who = client(call(2, 'who', { token: TOKEN }));
    expect(isNeeded(...login, who, client(call(3, 'who', { [TOKEN]: 1 })))).toBe(true);
    const encoded = Buffer.from(`ada:${TOKEN}`).toString('base64');
    expect(isNeeded(...login, who, client(call(3, 'who', { basic: encoded })))).toBe(true);
  });

  it('is put in nevertheless if it is given', () => {
    const session = cassette(...login, client(call(2, 'who', { token: TOKEN })));
    expect(JSON.stringify(restoreCassetteSecrets(session, 'client', { token: 'abc' }, nextStep).events)).not.toContain(
      TOKEN,
    );
  });
});
