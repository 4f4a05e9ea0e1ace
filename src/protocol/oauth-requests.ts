/** Names of an authorization flow's requests in fault rules (Authorization; RFC 6749, 7591, 8414, 9728). */
export const OAUTH_REQUESTS = [
  'oauth/resource-metadata',
  'oauth/server-metadata',
  'oauth/register',
  'oauth/authorize',
  'oauth/token',
  'oauth/refresh',
  'oauth/keys',
] as const;

/** Request of an authorization flow. `oauth/token` is a token request with any grant except a refresh token. */
export type OAuthRequest = (typeof OAUTH_REQUESTS)[number];

/** Parts of an HTTP request that identify a request of an authorization flow. */
interface HttpRequestLine {
  method: string;
  /** Path and query. */
  path?: string;
  body?: string | Uint8Array;
}

/** Paths of well-known metadata (RFC 8615). An issuer's own path may precede or follow them. */
const METADATA: readonly (readonly [place: string, name: OAuthRequest])[] = [
  ['/.well-known/oauth-protected-resource', 'oauth/resource-metadata'],
  ['/.well-known/oauth-authorization-server', 'oauth/server-metadata'],
  ['/.well-known/openid-configuration', 'oauth/server-metadata'],
];

/**
 * Requests by the last segment of their path. Revision 2025-03-26 prescribed these names, and most servers still use
 * them.
 */
const ENDPOINTS: Readonly<Record<string, { name: OAuthRequest; methods: readonly string[] }>> = {
  register: { name: 'oauth/register', methods: ['POST'] },
  authorize: { name: 'oauth/authorize', methods: ['GET', 'POST'] },
  token: { name: 'oauth/token', methods: ['POST'] },
  jwks: { name: 'oauth/keys', methods: ['GET'] },
};

/**
 * Returns the name of an authorization flow's request. Undefined: the HTTP request is another one, or its path is
 * unknown.
 */
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

/** Reports whether a rule's method has the prefix of authorization requests. The name after it may be unknown. */
export function isOAuthName(method: string | undefined): boolean {
  return method?.startsWith('oauth/') === true;
}

function isRefresh(body: string | Uint8Array = ''): boolean {
  return new URLSearchParams(Buffer.from(body).toString()).get('grant_type') === 'refresh_token';
}
