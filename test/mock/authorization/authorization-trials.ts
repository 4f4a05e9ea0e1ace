import type { HttpOptions } from '../../../src/adapters/mock-server/mock-server-types.ts';
import type { FaultRule } from '../../../src/modes/faulty-channel.ts';

/** The access token of the first call is refused. */
export const EXPIRED = 'token-refused:tools/call';
const NO_PKCE: FaultRule = {
  do: 'patch',
  when: { method: 'oauth/server-metadata' },
  merge: { code_challenge_methods_supported: null },
};
const OTHER_RESOURCE: FaultRule = {
  do: 'patch',
  when: { method: 'oauth/resource-metadata' },
  merge: { resource: 'https://example.com/mcp' },
};

/** One way that authorization goes wrong, with the options of the server that it needs. */
export interface AuthorizationTrial {
  name: string;
  rules: readonly FaultRule[];
  auth?: HttpOptions['auth'];
}

/** The rows of the tables in docs/auth-sdk-clients.md and docs/auth-other-clients.md. */
export const TRIALS: readonly AuthorizationTrial[] = [
  { name: 'the access token expires', rules: [EXPIRED] },
  { name: 'the access token is revoked, and its refresh token', rules: [`${EXPIRED}:reason=revoked`] },
  { name: 'the access token is for another server', rules: [`${EXPIRED}:reason=audience`] },
  { name: 'the access token expires, and the refresh is denied', rules: [EXPIRED, 'oauth-error'] },
  { name: 'the access token expires, and the refresh fails', rules: [EXPIRED, 'http-status:oauth/refresh:status=503'] },
  { name: 'the access token expires, and there is no refresh token', rules: [EXPIRED], auth: { refresh: 'none' } },
  { name: 'a call needs another scope', rules: ['insufficient-scope'] },
  {
    name: 'a call needs another scope, and there is no refresh token',
    rules: ['insufficient-scope'],
    auth: { refresh: 'none' },
  },
  { name: 'the metadata of the resource is missing', rules: ['http-status:oauth/resource-metadata:status=404'] },
  {
    name: 'the metadata of the authorization server is missing',
    rules: ['http-status:oauth/server-metadata:status=404'],
  },
  {
    name: 'the metadata of an issuer with a path is missing',
    rules: ['http-status:oauth/server-metadata:status=404'],
    auth: { issuerPath: '/tenant' },
  },
  { name: 'the metadata of the authorization server names another issuer', rules: ['wrong-issuer'] },
  { name: 'the code comes with another issuer', rules: ['wrong-issuer:oauth/authorize'] },
  { name: 'the metadata of the authorization server lacks PKCE', rules: [NO_PKCE] },
  { name: 'the metadata of the resource names another resource', rules: [OTHER_RESOURCE] },
  { name: 'the registration is refused', rules: ['oauth-error:oauth/register'] },
  { name: 'the code is refused', rules: ['oauth-error:oauth/token'] },
];

/** The first line of a message, without ports, and without the words of a JSON parser. */
export function lastingPart(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT').replace(/: SyntaxError: .*/, '');
}

/** What a client does that goes on, by how often its user was asked, and how many tokens it was given. */
export function goesOn({ asked, given }: { asked: number; given: number }): string {
  if (asked > 1) return 'asks its user again, and goes on';
  return given > 1 ? 'refreshes, and goes on' : 'goes on';
}
