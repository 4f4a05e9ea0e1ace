import { type HostNames, towardsClient } from '../proxy/rewrite-host-and-origin.ts';
import type { Upstream } from '../upstream/parse-upstream.ts';
import { formField, mapFormField } from './form-field-by-name.ts';
import { audienceOfJwt } from './jwt-audience.ts';
import { ProxiedOrigins } from './proxied-origins.ts';
import { mapChallengeUris } from './rewrite-challenge-uris.ts';
import { type AuthorizationPage, isRepeatable, rewriteAuthorizationRedirect } from './rewrite-issuer-in-redirect.ts';
import { type Issuer, type RewrittenMetadata, rewriteMetadata } from './rewrite-metadata.ts';

export interface AuthorizationOptions {
  names: HostNames & { upstream: Upstream };
  /** Environment, which may name web proxies for authorization servers. */
  env?: NodeJS.ProcessEnv | undefined;
}

/** Request of a client. */
export interface Wanted {
  method: string;
  path: string;
  /** Host name by which the client addresses the proxy. */
  host: string;
}

/** Upstream target of a request to the proxy. */
export interface Route {
  upstream: Upstream;
  path: string;
  /** Whether the target is an authorization server instead of the recorded server. */
  isAside: boolean;
  /**
   * Page for the browser, unless the response redirects straight back to the client. Absent: no browser sends this
   * request.
   */
  page?: AuthorizationPage;
  rewriting: Rewriting;
}

/** Rewriting of a response, so that the client uses the proxy's addresses. */
export interface Rewriting {
  /** Returns the target of a redirect. */
  location(uri: string): string;
  /** Returns a `WWW-Authenticate` field. */
  challenge(field: string): string;
  /** Rewrites a response body with metadata. Absent for other responses. */
  metadata?(text: string): RewrittenMetadata;
  /** Returns the target of a redirect that returns a browser straight to the client. Undefined: it leads elsewhere. */
  back(uri: string): string | undefined;
}

/** Decision about a request: forward it, redirect the browser to a page, or refuse it. */
export type RouteDecision = Route | { page: AuthorizationPage } | { refusal: number; why: string };

/** Maximum number of metadata documents and issuers that are remembered. A server has one or two. */
const DESCRIBED_MAX = 1_000;

/** Well-known paths of authorization metadata: RFC 9728, RFC 8414, OpenID Connect Discovery. */
const METADATA = /\/\.well-known\/(?:oauth-protected-resource|oauth-authorization-server|openid-configuration)\b/;

/**
 * Proxying of authorization flows (MCP "Authorization", RFC 9728). The client sees the proxy's addresses of the server
 * and of its authorization servers. Token issuers see the server's real address, so that the tokens are valid for it.
 * Tokens, codes and passwords are not read.
 */
export class AuthorizationProxy {
  readonly #names: HostNames & { upstream: Upstream };
  readonly #fronts: ProxiedOrigins;
  /** Metadata URLs named in challenges. */
  readonly #metadata = new Set<string>();
  /** Issuers described to the client, by authorization endpoint. */
  readonly #issuers = new Map<string, Issuer>();
  /** Names of the described issuers. */
  readonly #issuerNames = new Set<string>();

  constructor({ names, env }: AuthorizationOptions) {
    this.#names = names;
    this.#fronts = new ProxiedOrigins(names, env);
  }

  /** Returns the route of a request. */
  turn({ method, path, host }: Wanted): RouteDecision {
    const { upstream } = this.#names;
    const behind = this.#fronts.behind(path);
    if (behind === undefined) return this.#way({ upstream, path, host, isAside: false });
    if ('stranger' in behind) return { refusal: 404, why: `the server has not named ${behind.stranger} in this run` };
    if ('upstream' in behind) return this.#way({ ...behind, host, isAside: true });
    const [endpoint, query] = halves(behind.browser);
    const address = query === undefined ? endpoint : `${endpoint}?${this.#named(query)}`;
    const issuer = this.#issuers.get(endpoint);
    const page = { address, ...(issuer?.namesItself && { warning: comparing(issuer.name) }) };
    if (issuer === undefined || !isRepeatable(method, query ?? '')) return { page };
    const { upstream: authorizer, path: wanted } = this.#fronts.directly(address);
    return { ...this.#way({ upstream: authorizer, path: wanted, host, isAside: true, address }), page };
  }

  /**
   * Rewrites a form for an authorization server. The result has a warning if the server will reject the form, or the
   * reason for a refusal.
   */
  form(text: string): { text: string; warning?: string } | { refusal: string } {
    if (formField(text, 'client_assertion') !== undefined)
      return {
        refusal: 'the client signed the address of the recorder, and the authorization server has another',
      };
    const audience = audienceOfJwt(formField(text, 'assertion') ?? '');
    const isForUs = audience.some((uri) => this.#fronts.resource(uri) !== uri);
    return { text: this.#named(text), ...(isForUs && { warning: ASSERTED }) };
  }

  #named(form: string): string {
    return mapFormField(form, 'resource', (uri) => this.#fronts.resource(uri));
  }

  #way({
    upstream,
    path,
    host,
    isAside,
    address = upstream.origin + path,
  }: Omit<Route, 'rewriting' | 'page'> & { host: string; address?: string }): Route {
    const fronts = this.#fronts;
    const isMetadata = METADATA.test(path) || this.#metadata.has(upstream.origin + path);
    const rewriting: Rewriting = {
      location: (uri) => (isAside ? fronts.through(uri, host) : towardsClient(uri, upstream, host)),
      challenge: (field) =>
        mapChallengeUris(field, (uri) => {
          if (this.#metadata.size < DESCRIBED_MAX) this.#metadata.add(uri);
          fronts.named(uri);
          return fronts.through(uri, host);
        }),
      back: (uri) =>
        rewriteAuthorizationRedirect(uri, address, (issuer) =>
          this.#issuerNames.has(issuer) ? fronts.through(issuer, host) : issuer,
        ),
    };
    if (isMetadata) rewriting.metadata = (text) => this.#found(text, host);
    return { upstream, path, isAside, rewriting };
  }

  #found(text: string, host: string): RewrittenMetadata {
    const found = rewriteMetadata(text, {
      named: (uri) => this.#fronts.named(uri),
      through: (uri, as) => this.#fronts.through(uri, host, as),
    });
    if (found.issuer !== undefined) this.#describe(found.issuer);
    return found;
  }

  #describe(issuer: Issuer): void {
    if (this.#issuerNames.size >= DESCRIBED_MAX) return;
    this.#issuerNames.add(issuer.name);
    if (URL.canParse(issuer.authorizationEndpoint))
      this.#issuers.set(halves(new URL(issuer.authorizationEndpoint).href)[0], issuer);
  }
}

const ASSERTED =
  'an assertion of the client (RFC 7523) names the recorder as its audience, and the authorization server will refuse that';

function comparing(issuer: string): string {
  return `${issuer} shows a page, and names itself when it sends the user back (RFC 9207): a client that compares will refuse that`;
}

/** Splits a URL into its address and its query. */
function halves(url: string): [address: string, query?: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}
