import { describe, expect, it } from 'vitest';
import { type NextStep, restoreCassetteSecrets } from '../../../src/replay/prepare/restore-cassette-secrets.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';

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
  ['is not named', {}, 'secrets were taken out of it: API_TOKEN; line 1 needs it', 'API_TOKEN unlisted'],
  ['has no value', { API_TOKEN: undefined }, 'these have no value: API_TOKEN; line 1 needs it', 'API_TOKEN unset'],
  [
    'of the other side is named without a value',
    { API_TOKEN: 'abc', DB_PASSWORD: undefined },
    'these have no value: DB_PASSWORD; line 2 needs it',
    'DB_PASSWORD unset',
  ],
  ['is empty', { API_TOKEN: '' }, 'API_TOKEN is empty; line 1 needs it', 'API_TOKEN empty'],
  ['is white space', { API_TOKEN: ' \n' }, 'API_TOKEN is empty; line 1 needs it', 'API_TOKEN empty'],
  ['is empty, with its number', { API_TOKEN_1: '' }, 'API_TOKEN is empty; line 1 needs it', 'API_TOKEN empty'],
  [
    'of the other side is empty',
    { API_TOKEN: 'abc', DB_PASSWORD_1: '' },
    'DB_PASSWORD is empty; line 2 needs it',
    'DB_PASSWORD empty',
  ],
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

  it.each([
    ['a list', request(1, 'resources/list'), { resources: [{ name: 'a', uri: `crm://${TOKEN}` }] }],
    ['the tools', request(1, 'tools/list'), { tools: [{ name: 'a', description: `for ${TOKEN}`, inputSchema: {} }] }],
    ['the handshake', request(1, 'initialize'), { instructions: `You serve ${TOKEN}.` }],
    ['another method', request(1, 'acme/login'), { token: TOKEN }],
  ])('is not needed if %s returned it', (_, asked, result) => {
    const said = [client(asked), server({ jsonrpc: '2.0', id: 1, result })];
    expect(isNeeded(...said, client(call(2, 'who', { value: TOKEN })))).toBe(false);
    const read = { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: `crm://${TOKEN}` } };
    expect(isNeeded(...said, client(read))).toBe(false);
    expect(isNeeded(client(call(2, 'who', { value: TOKEN })), ...said)).toBe(true);
  });

  it('names the line that needs it, and not those that send it back', () => {
    const who = client(call(2, 'who', { token: TOKEN }));
    const named = client(call(3, 'who', { [TOKEN]: 1 }));
    expect(() => restoreCassetteSecrets(cassette(...login, who, named), 'client', {}, nextStep)).toThrow(
      'secrets were taken out of it: token; line 4 needs it',
    );
  });

  it('is put in nevertheless if it is given', () => {
    const session = cassette(...login, client(call(2, 'who', { token: TOKEN })));
    expect(JSON.stringify(restoreCassetteSecrets(session, 'client', { token: 'abc' }, nextStep).events)).not.toContain(
      TOKEN,
    );
  });
});
