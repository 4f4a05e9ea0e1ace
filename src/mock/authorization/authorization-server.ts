import type { Clock } from '../../kernel/clock.ts';
import { unguessable } from '../../kernel/random.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { HttpRequest, HttpResponse } from '../../replay/http/requests/accept-or-refuse-request.ts';
import { mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AuthorizationSettings, KnownClient } from './authorization-options.ts';
import { ASSERTION_ALGORITHMS } from './client-assertion.ts';
import { GrantStore } from './grant-store.ts';
import { OAuthRefusal } from './oauth-refusal.ts';
import { issuerInRedirect, servedMetadata, servedRefusal } from './recorded/recorded-metadata.ts';
import { isRedirectAllowed, isRegistrable } from './redirect-uris.ts';
import { grantedScopes } from './requested-scopes.ts';
import { checkResourceNamed, resourceOf, TokenEndpoint } from './token-endpoint.ts';

export interface AuthorizationServerOptions {
  settings: AuthorizationSettings;
  tokens: AccessTokens;
  clock: Clock;
  /** Called with a finding for each request that is refused. The client gets the same text, and may not show it. */
  refused?(finding: Finding): void;
}

/** Request to the authorization server, with the URLs under which the client reached the server. */
interface Asked {
  request: HttpRequest;
  /** Origin in the client's request, such as `http://127.0.0.1:8080`. */
  origin: string;
  /** Resources of this origin with tokens. Requests without a resource get the first one. */
  resources: readonly string[];
  /** Requests without a resource are refused. */
  needsResource: boolean;
}

type Endpoint = (asked: Asked) => HttpResponse | Promise<HttpResponse>;

const WELL_KNOWN = { oauth: '/.well-known/oauth-authorization-server', openid: '/.well-known/openid-configuration' };
/** Authentication methods for dynamically registered clients. */
const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

/**
 * An authorization server that approves every client without a consent page (OAuth 2.1; RFC 7591, 7636, 8414, 8707,
 * 9207). Its paths are those that clients of 2025-03-26 expect at the origin of the MCP server.
 */
export class AuthorizationServer {
  readonly store: GrantStore = new GrantStore();
  /** Endpoint by path and method. */
  readonly #endpoints: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;
  readonly #options: AuthorizationServerOptions;
  readonly #tokenEndpoint: TokenEndpoint;

  constructor(options: AuthorizationServerOptions) {
    this.#options = options;
    this.#tokenEndpoint = new TokenEndpoint({ ...options, store: this.store });
    const { issuerPath, registration, discovery, recorded } = options.settings;
    const isMissing = recorded?.isServerMetadataMissing;
    const metadata = { GET: (asked: Asked) => (isMissing ? { status: 404 } : json(200, this.#metadata(asked))) };
    const paths =
      discovery === 'oauth'
        ? [WELL_KNOWN.oauth + issuerPath]
        : [WELL_KNOWN.openid + issuerPath, issuerPath + WELL_KNOWN.openid];
    const authorize = (asked: Asked) => this.#authorize(asked);
    this.#endpoints = {
      ...Object.fromEntries(
        paths.filter((path) => !recorded?.missingServerMetadata.includes(path)).map((path) => [path, metadata]),
      ),
      [`${issuerPath}/authorize`]: { GET: authorize, POST: authorize },
      [`${issuerPath}/token`]: { POST: (asked) => this.#token(asked) },
      [`${issuerPath}/jwks`]: { GET: () => json(200, options.tokens.keySet) },
      ...(registration && { [`${issuerPath}/register`]: { POST: (asked: Asked) => this.#register(asked) } }),
    };
  }

  /** Paths served by the authorization server. */
  get paths(): readonly string[] {
    return Object.keys(this.#endpoints);
  }

  /** Returns the issuer at an origin (RFC 8414, 2). */
  issuerAt(origin: string): string {
    return origin + this.#options.settings.issuerPath;
  }

  /** Answers a request for one of `paths`. */
  async answer(asked: Asked): Promise<HttpResponse> {
    const { method, target = '' } = asked.request;
    const methods = this.#endpoints[target.split('?', 1)[0]!] ?? {};
    const endpoint = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (endpoint === undefined) return { status: 405, headers: { allow: Object.keys(methods).join(', ') } };
    try {
      return await endpoint(asked);
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error;
      this.#report(error, asked.request);
      return refusal(error, asked.request);
    }
  }

  #metadata({ origin }: Asked): object {
    const { settings } = this.#options;
    const issuer = this.issuerAt(origin);
    const isOpenId = settings.discovery === 'openid';
    const addresses = {
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...(settings.registration && { registration_endpoint: `${issuer}/register` }),
    };
    const { serverMetadata } = settings.recorded ?? {};
    if (serverMetadata !== undefined)
      return servedMetadata(serverMetadata, addresses, { issuer: settings.recorded?.mismatched.issuer ?? issuer });
    return {
      issuer,
      ...addresses,
      ...scopesSupported(settings),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [
        'authorization_code',
        'client_credentials',
        ...(settings.refresh === 'none' ? [] : ['refresh_token']),
      ],
      token_endpoint_auth_methods_supported: [...AUTH_METHODS, 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: settings.clientMetadataDocuments,
      ...(isOpenId && { subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['ES256'] }),
    };
  }

  /** Registers a client (RFC 7591, 3). */
  #register({ request, origin }: Asked): HttpResponse {
    const refused = this.#options.settings.recorded?.registration;
    if (refused !== undefined) return servedRefusal(refused, origin);
    const metadata = parseJson(request.body);
    if (!isObject(metadata)) throw new OAuthRefusal('invalid_client_metadata', 'The body is no JSON object');
    const { redirect_uris: uris = [], token_endpoint_auth_method: method = this.#authMethod() } = metadata;
    if (!Array.isArray(uris) || !uris.every(isRegistrable))
      throw new OAuthRefusal(
        'invalid_redirect_uri',
        'Redirect URIs are a list, of HTTPS, loopback addresses or schemes of programs',
      );
    const { grant_types: grants = ['authorization_code'] } = metadata;
    if (uris.length === 0 && Array.isArray(grants) && grants.includes('authorization_code'))
      throw new OAuthRefusal('invalid_redirect_uri', 'There is no redirect URI');
    if (!AUTH_METHODS.includes(method as string))
      throw new OAuthRefusal(
        'invalid_client_metadata',
        `token_endpoint_auth_method is one of ${AUTH_METHODS.join(', ')}`,
      );
    const client: KnownClient = {
      id: unguessable(),
      redirectUris: uris,
      ...(method !== 'none' && { secret: unguessable() }),
    };
    this.store.addClient(client);
    const { id, secret } = client;
    return json(201, {
      ...metadata,
      redirect_uris: uris,
      token_endpoint_auth_method: method,
      client_id: id,
      client_id_issued_at: Math.floor(this.#options.clock.date().getTime() / 1000),
      ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
    });
  }

  /**
   * Returns the authentication method of a client that registers without one: the default of RFC 7591, 2, or if the
   * recorded metadata does not list that, a method that it lists.
   */
  #authMethod(): string {
    const listed = this.#options.settings.recorded?.serverMetadata?.token_endpoint_auth_methods_supported;
    const isListed = (method: string) => !Array.isArray(listed) || listed.includes(method);
    return ['client_secret_basic', ...AUTH_METHODS].find(isListed) ?? 'client_secret_basic';
  }

  /**
   * Answers an authorization request (RFC 6749, 4.1.1). Errors that cannot be sent to the client's redirect URI are
   * shown in the browser.
   */
  #authorize({ request, origin, resources, needsResource }: Asked): HttpResponse {
    const form = request.method === 'POST' ? formOf(request) : new URLSearchParams(request.target?.split('?', 2)[1]);
    const [client, redirectUri] = [form.get('client_id') ?? '', form.get('redirect_uri') ?? ''];
    if (client === '') throw new OAuthRefusal('invalid_request', '"client_id" is missing');
    const known = this.#tokenEndpoint.clientOf(client);
    if (known === 'unknown') throw new OAuthRefusal('invalid_client', `There is no client "${client}"`);
    if (!isRedirectAllowed(redirectUri, known?.redirectUris))
      throw new OAuthRefusal(
        'invalid_request',
        'The redirect URI is not registered for this client, and not a loopback address',
      );
    const issuer = this.issuerAt(origin);
    const { settings } = this.#options;
    const iss = settings.recorded ? issuerInRedirect(settings.recorded, issuer) : issuer;
    const back = (answer: Record<string, string>) =>
      redirect(redirectUri, { ...answer, state: form.get('state'), iss });
    try {
      const challenge = challengeOf(form);
      if (needsResource) checkResourceNamed(form);
      const code = this.store.addCode({
        client,
        redirectUri,
        challenge,
        scopes: grantedScopes(form, settings),
        resource: resourceOf(form, resources),
        issuedAt: this.#options.clock.now(),
      });
      return back({ code });
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error;
      this.#report(error, request);
      return back(error.body);
    }
  }

  #report({ code, message }: OAuthRefusal, { method, target = '' }: HttpRequest): void {
    const text = `The authorization server refused ${method} ${target.split('?', 1)[0]}: ${code}: ${message}`;
    this.#options.refused?.({ kind: 'refused', text });
  }

  async #token({ request, origin, resources, needsResource }: Asked): Promise<HttpResponse> {
    if (mediaType(request.headers['content-type']) !== 'application/x-www-form-urlencoded')
      throw new OAuthRefusal('invalid_request', 'The body is no form');
    const body = await this.#tokenEndpoint.answer({
      form: formOf(request),
      authorization: request.headers.authorization,
      issuer: this.issuerAt(origin),
      resources,
      needsResource,
    });
    return json(200, body);
  }
}

/** Returns the `scopes_supported` metadata member: the scopes of every rule. */
export function scopesSupported({ scopes, stepUp }: AuthorizationSettings): { scopes_supported?: string[] } {
  const all = [...new Set([...scopes, ...stepUp.flatMap((rule) => rule.scopes)])];
  return all.length > 0 ? { scopes_supported: all } : {};
}

/** Returns the code challenge of a request (RFC 7636, 4.3). OAuth 2.1 requires one. */
function challengeOf(form: URLSearchParams): string {
  if (form.get('response_type') !== 'code')
    throw new OAuthRefusal('unsupported_response_type', 'The response type is code');
  const challenge = form.get('code_challenge') ?? '';
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthRefusal('invalid_request', '"code_challenge" is missing, or no SHA-256');
  if (form.get('code_challenge_method') !== 'S256')
    throw new OAuthRefusal('invalid_request', '"code_challenge_method" is S256');
  return challenge;
}

function redirect(uri: string, answer: Record<string, string | null>): HttpResponse {
  const location = new URL(uri);
  for (const [name, value] of Object.entries(answer)) if (value !== null) location.searchParams.set(name, value);
  const headers = { location: location.href, 'cache-control': 'no-store', 'content-type': 'text/plain' };
  return { status: 302, headers, body: 'The client goes on.\n' };
}

/**
 * Returns the error response (RFC 6749, 5.2). A client that failed to authenticate by header gets a `WWW-Authenticate`
 * challenge.
 */
function refusal(error: OAuthRefusal, { headers }: HttpRequest): HttpResponse {
  const isClient = error.code === 'invalid_client';
  const { headers: own, ...answer } = json(isClient ? 401 : 400, error.body);
  const challenge = isClient && headers.authorization !== undefined && { 'www-authenticate': 'Basic realm="mock"' };
  return { ...answer, headers: { ...own, ...challenge } };
}

function json(status: number, body: object): HttpResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

function formOf({ body }: HttpRequest): URLSearchParams {
  return new URLSearchParams(body);
}
