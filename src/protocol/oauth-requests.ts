/** The requests of an authorization flow (Authorization; RFC 6749, 7591, 8414, 9728), as rules of faults name them. */
export const OAUTH_REQUESTS = [
  'oauth/resource-metadata',
  'oauth/server-metadata',
  'oauth/register',
  'oauth/authorize',
  'oauth/token',
  'oauth/refresh',
  'oauth/keys',
] as const;

/** A request of an authorization flow. `oauth/token`: one for a token, by whatever grant but a refresh token. */
export type OAuthRequest = (typeof OAUTH_REQUESTS)[number];

/** What an HTTP request has that tells which one it is. */
interface HttpRequestLine {
  method: string;
  /** Path and query. */
  path?: string;
  body?: string | Uint8Array;
}

/** Paths of well-known metadata (RFC 8615). An issuer's own path may come before or after. */
const METADATA: readonly (readonly [place: string, name: OAuthRequest])[] = [
  ['/.well-known/oauth-protected-resource', 'oauth/resource-metadata'],
  ['/.well-known/oauth-authorization-server', 'oauth/server-metadata'],
  ['/.well-known/openid-configuration', 'oauth/server-metadata'],
];

/** Requests by the last word of their path: what servers of 2025-03-26 had to call them, and most still do. */
const ENDPOINTS: Readonly<Record<string, { name: OAuthRequest; methods: readonly string[] }>> = {
  register: { name: 'oauth/register', methods: ['POST'] },
  authorize: { name: 'oauth/authorize', methods: ['GET', 'POST'] },
  token: { name: 'oauth/token', methods: ['POST'] },
  jwks: { name: 'oauth/keys', methods: ['GET'] },
};

/** Returns which request of an authorization flow an HTTP request is; undefined: it is none, or has no path of its own. */
export function oauthRequestOf({ method, path, body }: HttpRequestLine): OAuthRequest | undefined {
  const pathname = path?.split('?', 1)[0];
  if (pathname === undefined) return undefined;
  const metadata = METADATA.find(([place]) => pathname.includes(place));
  if (metadata) return method === 'GET' ? metadata[1] : undefined;
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const endpoint = Object.hasOwn(ENDPOINTS, last) ? ENDPOINTS[last] : undefined;
  if (!endpoint?.methods.includes(method)) return undefined;
  return endpoint.name === 'oauth/token' && isRefresh(body) ? 'oauth/refresh' : endpoint.name;
}

/** Whether a method of a rule names a request of an authorization flow, be it one that there is not. */
export function isOAuthName(method: string | undefined): boolean {
  return method?.startsWith('oauth/') === true;
}

function isRefresh(body: string | Uint8Array = ''): boolean {
  return new URLSearchParams(Buffer.from(body).toString()).get('grant_type') === 'refresh_token';
}
