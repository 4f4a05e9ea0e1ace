import { expect, it } from 'vitest';
import { OAUTH_REQUESTS, oauthRequestOf } from '../../src/protocol/oauth-requests.ts';

const POST = { method: 'POST' };
const GET = { method: 'GET' };

it.each([
  [{ ...GET, path: '/.well-known/oauth-protected-resource' }, 'oauth/resource-metadata'],
  [{ ...GET, path: '/.well-known/oauth-protected-resource/mcp?x' }, 'oauth/resource-metadata'],
  [{ ...GET, path: '/.well-known/oauth-authorization-server/tenant' }, 'oauth/server-metadata'],
  [{ ...GET, path: '/tenant/.well-known/openid-configuration' }, 'oauth/server-metadata'],
  [{ ...POST, path: '/tenant/register' }, 'oauth/register'],
  [{ ...GET, path: '/authorize?client_id=/token' }, 'oauth/authorize'],
  [{ ...POST, path: '/authorize' }, 'oauth/authorize'],
  [{ ...POST, path: '/token', body: 'grant_type=authorization_code&code=refresh_token' }, 'oauth/token'],
  [{ ...POST, path: '/token' }, 'oauth/token'],
  [{ ...POST, path: '/token', body: Buffer.from('a=b&grant_type=refresh_token') }, 'oauth/refresh'],
  [{ ...GET, path: '/jwks' }, 'oauth/keys'],
])('%o is %s', (request, name) => {
  expect(oauthRequestOf(request)).toBe(name);
  expect(OAUTH_REQUESTS).toContain(name);
});

it.each([
  { ...POST },
  { ...POST, path: '/mcp' },
  { ...GET, path: '/token' },
  { ...GET, path: '/register' },
  { ...POST, path: '/tokens' },
  { ...POST, path: '/constructor' },
  { method: 'OPTIONS', path: '/.well-known/oauth-protected-resource' },
])('%o is none', (request) => {
  expect(oauthRequestOf(request)).toBeUndefined();
});
