import { createHash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AuthorizationSettings, KnownClient } from './authorization-options.ts';
import { assertedClient } from './client-assertion.ts';
import type { Grant, GrantStore, RefreshToken } from './grant-store.ts';
import { OAuthRefusal } from './oauth-refusal.ts';
import { grantedScopes, scopesIn } from './requested-scopes.ts';

/** A request for a token (RFC 6749, 3.2). */
export interface TokenRequest {
  form: URLSearchParams;
  /** The `Authorization` header. */
  authorization: string | undefined;
  issuer: string;
  /** Resources of this server with tokens. Requests without a resource get the first one. */
  resources: readonly string[];
  /** Requests without a resource are refused. */
  needsResource: boolean;
}

export interface TokenEndpointOptions {
  settings: AuthorizationSettings;
  store: GrantStore;
  tokens: AccessTokens;
  clock: Clock;
}

/** The client of a token request. */
interface Asking {
  id: string;
  /** The client sent a secret or a signed assertion. */
  isAuthenticated: boolean;
}

/** Lifetime of an authorization code, in milliseconds (RFC 6749, 4.1.2). */
const CODE_LIFETIME = 600_000;

/** Issues tokens for authorization codes, refresh tokens and client credentials. */
export class TokenEndpoint {
  readonly #options: TokenEndpointOptions;

  constructor(options: TokenEndpointOptions) {
    this.#options = options;
  }

  /**
   * Returns the body of a token response (RFC 6749, 5.1).
   * @throws OAuthRefusal
   */
  async answer(request: TokenRequest): Promise<object> {
    const { form } = request;
    const repeated = [...form.keys()].find((name) => name !== 'resource' && form.getAll(name).length > 1);
    if (repeated !== undefined) throw new OAuthRefusal('invalid_request', `"${repeated}" is there more than once`);
    const client = await this.#authenticate(request);
    if (request.needsResource && TOKEN_GRANTS.has(form.get('grant_type'))) checkResourceNamed(form);
    this.#requireGrantType(form.get('grant_type'));
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return this.#forCode(request, client.id);
      case 'refresh_token':
        return this.#forRefreshToken(request, client.id);
      case 'client_credentials':
        return this.#forCredentials(request, client);
      case null:
        throw new OAuthRefusal('invalid_request', '"grant_type" is missing');
      default:
        throw new OAuthRefusal('unsupported_grant_type', `There is no grant "${form.get('grant_type')}"`);
    }
  }

  /**
   * Refuses a grant that the recorded server does not have.
   * @throws OAuthRefusal unsupported_grant_type
   */
  #requireGrantType(type: string | null): void {
    const types = this.#options.settings.recorded?.grantTypes;
    if (type === null || types === undefined || types.includes(type)) return;
    throw new OAuthRefusal('unsupported_grant_type', `The recorded server has no grant "${type}"`);
  }

  /** Returns the client of a request, after checking its secret or assertion if one is registered (RFC 6749, 2.3). */
  async #authenticate({ form, authorization, issuer }: TokenRequest): Promise<Asking> {
    if (form.has('client_assertion')) {
      const date = this.#options.clock.date();
      const id = await assertedClient(form, {
        audience: [issuer, `${issuer}/token`],
        date,
        clientOf: (id) => this.#known(id),
      });
      return { id, isAuthenticated: true };
    }
    const basic = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1];
    const [id, secret] =
      basic === undefined ? [form.get('client_id'), form.get('client_secret')] : credentialsIn(basic);
    if (!id) throw new OAuthRefusal('invalid_client', 'The client id is missing');
    const known = this.#known(id);
    if (known?.publicKey !== undefined)
      throw new OAuthRefusal('invalid_client', 'The client has to authenticate by a signed assertion');
    if (known?.secret !== undefined && known.secret !== secret)
      throw new OAuthRefusal('invalid_client', 'The client secret is wrong');
    return { id, isAuthenticated: known ? known.secret !== undefined : !!secret };
  }

  /**
   * Returns the registered client, if any.
   * @throws OAuthRefusal for a client that is not accepted
   */
  #known(id: string): KnownClient | undefined {
    const known = this.clientOf(id);
    if (known === 'unknown') throw new OAuthRefusal('invalid_client', `There is no client "${id}"`);
    return known;
  }

  /** Returns a registered client. `undefined`: the client is not registered, but accepted. */
  clientOf(id: string): KnownClient | 'unknown' | undefined {
    const { clients, clientMetadataDocuments } = this.#options.settings;
    const known = clients?.find((one) => one.id === id) ?? this.#options.store.client(id);
    if (known) return known;
    if (id.startsWith('https://')) return clientMetadataDocuments ? undefined : 'unknown';
    return clients === undefined ? undefined : 'unknown';
  }

  async #forCode(request: TokenRequest, client: string): Promise<object> {
    const { store, clock } = this.#options;
    const { form } = request;
    const code = store.code(form.get('code') ?? '');
    if (code === undefined) throw new OAuthRefusal('invalid_grant', 'There is no such code');
    if (code.grant !== undefined) {
      // A reused code may have been stolen (RFC 6749, 4.1.2).
      store.revoke(code.grant, 'its code was used twice');
      const first =
        code.refused && `${code.refused}. This was the reason at the first use of the code, which is used up`;
      throw new OAuthRefusal('invalid_grant', first ?? 'The code was used before, so all its tokens are revoked');
    }
    // Even a failed exchange invalidates the code.
    code.grant = store.addGrant(code);
    const why = whyNotExchanged(code, { form, client, isOld: clock.now() - code.issuedAt > CODE_LIFETIME });
    if (why === undefined) return this.#issue(request, code.grant, code);
    code.refused = why;
    store.revoke(code.grant, 'its code was refused');
    throw new OAuthRefusal('invalid_grant', why);
  }

  async #forRefreshToken(request: TokenRequest, client: string): Promise<object> {
    const { store, settings } = this.#options;
    const { form } = request;
    const token = store.refreshToken(form.get('refresh_token') ?? '');
    const grant = token && store.grant(token.grant);
    if (token === undefined) throw new OAuthRefusal('invalid_grant', 'There is no such refresh token');
    if (grant === undefined) throw new OAuthRefusal('invalid_grant', whyUnknown(token, store));
    if (grant.client !== client)
      throw new OAuthRefusal('invalid_grant', 'The refresh token was issued to another client');
    if (token.isUsed) {
      store.revoke(token.grant, 'a refresh token that it replaced was used again');
      throw new OAuthRefusal('invalid_grant', USED_BEFORE);
    }
    const scopes = scopesIn(form) ?? grant.scopes;
    if (scopes.some((scope) => !grant.scopes.includes(scope)))
      throw new OAuthRefusal('invalid_scope', 'A refresh cannot add scopes');
    checkResource(request, grant);
    token.isUsed = settings.refresh === 'rotate';
    return this.#issue(request, token.grant, { ...grant, scopes });
  }

  async #forCredentials(request: TokenRequest, { id, isAuthenticated }: Asking): Promise<object> {
    if (!isAuthenticated) throw new OAuthRefusal('invalid_client', 'A client without a secret has no credentials');
    const { settings, store } = this.#options;
    const resource = resourceOf(request.form, request.resources);
    const grant = { client: id, scopes: grantedScopes(request.form, settings), resource };
    return this.#issue(request, store.addGrant(grant), grant, { hasRefresh: false });
  }

  async #issue(
    { issuer, form }: TokenRequest,
    id: string,
    { client, scopes, resource }: Grant,
    { hasRefresh = true }: { hasRefresh?: boolean } = {},
  ): Promise<object> {
    const { settings, tokens, store } = this.#options;
    const { tokenLifetime, refresh, recorded } = settings;
    const shown = recorded?.tokenResponse;
    const isShown = (member: string) => shown === undefined || Object.hasOwn(shown, member);
    const claims = { issuer, audience: resource, client, scopes, grant: id };
    const isKept = refresh === 'keep' && form.has('refresh_token');
    return {
      access_token: await tokens.sign(claims, tokenLifetime),
      token_type: /^bearer$/i.test(String(shown?.token_type)) ? shown?.token_type : 'Bearer',
      ...(isShown('expires_in') && { expires_in: tokenLifetime }),
      ...(isShown('scope') && { scope: scopes.join(' ') }),
      ...(hasRefresh && refresh !== 'none' && !isKept && { refresh_token: store.addRefreshToken(id) }),
    };
  }
}

const TOKEN_GRANTS: ReadonlySet<string | null> = new Set(['authorization_code', 'refresh_token', 'client_credentials']);

const USED_BEFORE = 'The refresh token was used before, so all its tokens were revoked';

/** Returns why a refresh token has no grant any more. */
function whyUnknown({ grant, isUsed }: RefreshToken, store: GrantStore): string {
  if (isUsed) return USED_BEFORE;
  return `The refresh token was revoked: ${store.whyRevoked(grant) ?? 'its authorization was forgotten'}`;
}

/**
 * Returns the resource named in a request, or the default resource.
 * @throws OAuthRefusal invalid_target (RFC 8707, 2)
 */
export function resourceOf(form: URLSearchParams, resources: readonly string[]): string {
  const named = form.getAll('resource');
  const other = named.find((one) => !resources.includes(one));
  if (other !== undefined) throw new OAuthRefusal('invalid_target', `"${other}" is no resource of this server`);
  return named[0] ?? resources[0]!;
}

/**
 * Checks that a request names a resource. Clients must do so since 2025-06-18, in requests for codes and for tokens (MCP
 * "Authorization", "Resource Parameter Implementation").
 * @throws OAuthRefusal invalid_target
 */
export function checkResourceNamed(form: URLSearchParams): void {
  if (form.has('resource')) return;
  throw new OAuthRefusal(
    'invalid_target',
    '"resource" is missing. Clients name the MCP server, in requests for codes and for tokens, since 2025-06-18. For older clients, set the option "resource" of the authorization to "optional"',
  );
}

function checkResource({ form, resources }: TokenRequest, grant: Grant): void {
  if (form.has('resource') && resourceOf(form, resources) !== grant.resource)
    throw new OAuthRefusal('invalid_target', 'The resource differs from the granted one');
}

interface Exchange {
  form: URLSearchParams;
  client: string;
  isOld: boolean;
}

/** Returns the reason why a code is not exchanged for a token (RFC 6749, 4.1.3; RFC 7636, 4.6; RFC 8707, 2.2). */
function whyNotExchanged(
  code: { client: string; redirectUri: string; challenge: string; resource: string },
  { form, client, isOld }: Exchange,
): string | undefined {
  if (isOld) return 'The code expired';
  if (code.client !== client) return 'The code was issued to another client';
  if (form.get('redirect_uri') !== code.redirectUri)
    return 'The redirect URI differs from the one of the authorization request';
  const verifier = form.get('code_verifier') ?? '';
  if (createHash('sha256').update(verifier).digest('base64url') !== code.challenge) return 'The code verifier is wrong';
  const named = form.getAll('resource');
  if (named.some((one) => one !== code.resource)) return 'The resource differs from the authorized one';
  return undefined;
}

/** Decodes the credentials of Basic authentication. Both parts are form-encoded (RFC 6749, 2.3.1). */
function credentialsIn(basic: string): [id: string, secret: string] {
  const text = Buffer.from(basic, 'base64').toString();
  const at = text.indexOf(':');
  const decode = (part: string) => new URLSearchParams(`_=${part.replaceAll('&', '%26')}`).get('_') ?? '';
  return at < 0 ? [decode(text), ''] : [decode(text.slice(0, at)), decode(text.slice(at + 1))];
}
