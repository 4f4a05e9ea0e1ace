import { describe, expect, it } from 'vitest';
import { cassette, mockServer, request, tool } from '../../../src/adapters/mock.ts';
import { authorizationSettings } from '../../../src/mock/authorization/authorization-options.ts';

const usual = authorizationSettings(true);

it('true, and no options, are the usual ones', () => {
  expect(usual).toEqual(authorizationSettings({}));
  expect(authorizationSettings({ scopes: [], tokenLifetime: undefined })).toEqual({ ...usual, scopes: [] });
});

describe('refuses', () => {
  it.each([
    ['what is not a mapping', 'yes', 'it is not a mapping'],
    ['false', false, 'it is not a mapping'],
    ['an unknown key', { scope: ['a'] }, 'Did you mean "scopes"?'],
    ['a scope with a space', { scopes: ['a b'] }, 'a list of scopes without spaces'],
    ['a scope with a quote', { scopes: ['a"'] }, 'a list of scopes without spaces'],
    ['scopes that are no list', { scopes: 'a' }, 'a list of scopes without spaces'],
    ['a token with a space', { tokens: ['Bearer x'] }, 'a list of tokens without spaces'],
    ['a token that is no list', { tokens: 'x' }, 'a list of tokens without spaces'],
    ['no time', { tokenLifetime: 0 }, 'seconds from 1 to 31536000'],
    ['part of a second', { tokenLifetime: 0.5 }, 'seconds from 1 to 31536000'],
    ['another way to refresh', { refresh: true }, 'rotate, keep or none'],
    ['a word for yes', { registration: 'yes' }, 'true or false'],
    ['a path that is none', { issuerPath: 'tenant' }, 'a path such as /tenant'],
    ['a path that ends', { issuerPath: '/tenant/' }, 'a path such as /tenant'],
    ['another word about resources', { resource: false }, 'required or optional'],
    ['other metadata', { discovery: 'saml' }, 'oauth or openid'],
    ['a step without scopes', { stepUp: [{ tool: 'x' }] }, '"scopes" is missing'],
    ['a step of something else', { stepUp: [{ tol: 'x', scopes: [] }] }, 'Did you mean "tool"?'],
    ['a step of a misspelt method', { stepUp: [{ method: 'tool/call', scopes: [] }] }, 'Did you mean "tools/call"?'],
    ['a client without an id', { clients: [{ secret: 'x' }] }, '"id" is missing'],
    [
      'a client with a redirect that is run',
      { clients: [{ id: 'x', redirectUris: ['javascript:1'] }] },
      'a list of URIs',
    ],
  ])('%s', (_, options, text) => {
    expect(() => authorizationSettings(options)).toThrow(text);
    expect(() => authorizationSettings(options)).toThrow('[MOCK_AUTH_BAD]');
  });
});

it('are those of mockServer, which has no endpoint where the authorization server is', async () => {
  await expect(mockServer({ over: 'http', auth: 'yes' as never })).rejects.toThrow('[MOCK_AUTH_BAD]');
  await expect(mockServer({ over: 'http', auht: true } as never)).rejects.toThrow('Did you mean auth?');
});

it('false is off, over every transport', async () => {
  for (const over of ['memory', 'http', 'stdio'] as const) {
    const server = await mockServer({ over, auth: false } as { over: 'http'; auth: false });
    expect(server.issuer).toBeUndefined();
    await server.finish();
  }
});

describe('a step-up for a tool that is nowhere', () => {
  const auth = { stepUp: [{ tool: 'nope', scopes: ['a'] }] };
  const over = 'http';
  const tape = cassette().calls('add').returns('3');

  it('is refused, with handlers and with a cassette', async () => {
    for (const options of [{ handlers: [tool('add', () => 3)] }, { cassette: tape }])
      await expect(mockServer({ over, auth, ...options })).rejects.toThrow(
        /stepUp\[0\]: neither handlers nor cassette have a tool "nope"\. \[MOCK_AUTH_BAD\]/,
      );
  });

  it('is not, where it may come later, or any tool is handled', async () => {
    const any = request('tools/call', () => ({ content: [] }));
    const named = [tool('add', () => 3), tool('nope', () => 3)];
    for (const handlers of [[], [any], named]) await (await mockServer({ over, auth, handlers })).finish();
    const server = await mockServer({ over, auth, cassette: cassette().calls('nope').returns('3') });
    expect((await server.finish()).failures).toMatchObject([{ kind: 'unused' }]);
  });
});
