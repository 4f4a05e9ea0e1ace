import { type HostNames, isOurs } from '../proxy/rewrite-host-and-origin.ts';
import { parseUpstream, type Upstream } from '../upstream/parse-upstream.ts';
import { mayStandFor } from './may-stand-for.ts';

/** Target of a proxy path outside the server's own paths. */
export type ProxiedTarget =
  /** A path of an authorization server, for the client's own requests. */
  | { upstream: Upstream; path: string }
  /** A page that only a browser can show, at its real address. */
  | { browser: string }
  /** An authorization server that the server has not named. */
  | { stranger: string };

/**
 * Path of an authorization server on the proxy, e.g. `/.mcp-record/https/auth.example.com/token`. A well-known path
 * precedes an issuer's path (RFC 8414, 3.1).
 */
const FRONT = /^(\/\.well-known\/[\w-]+)?\/\.mcp-record\/(browser\/)?(https?)\/([^/?#]+)(.*)$/s;

/** Maximum number of origins of authorization servers. A server names one or two. */
const NAMED_MAX = 1_000;

/**
 * Addresses at which a client reaches the server and the authorization servers that the server names. Other origins are
 * refused: this is no open proxy.
 */
export class ProxiedOrigins {
  readonly #names: HostNames & { upstream: Upstream };
  readonly #env: NodeJS.ProcessEnv;
  readonly #named = new Set<string>();

  /** @param env may name web proxies for the servers */
  constructor(names: HostNames & { upstream: Upstream }, env: NodeJS.ProcessEnv = {}) {
    this.#names = names;
    this.#env = env;
  }

  /**
   * Allows the client to request the origin of `uri`, because the server named it. An address of this machine or link is
   * left to the client itself, unless the server is on this machine, too.
   */
  named(uri: string): void {
    const url = urlOf(uri);
    if (url === undefined || this.#named.size >= NAMED_MAX) return;
    if (mayStandFor(url.origin, this.#names.upstream.origin)) this.#named.add(url.origin);
  }

  /**
   * Returns the proxy's address for `uri`, for a client that uses `host`. An origin that the server has not named stays
   * unchanged. The text after the origin is kept exactly, because issuers and resources are compared character by
   * character (RFC 8414, 3.3; RFC 8707, 2).
   */
  through(uri: string, host: string, as: 'client' | 'browser' = 'client'): string {
    const url = urlOf(uri);
    const rest = uri.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
    if (url === undefined) return uri;
    if (url.origin === this.#names.upstream.origin && as === 'client') return `http://${host}${rest}`;
    if (!this.#isNamed(url.origin)) return uri;
    const front = as === 'browser' ? 'browser/' : '';
    return `http://${host}/.mcp-record/${front}${url.protocol.slice(0, -1)}/${url.host}${rest}`;
  }

  /** Returns the target of a proxy path. Undefined: the path belongs to the server. */
  behind(path: string): ProxiedTarget | undefined {
    const front = FRONT.exec(path);
    if (front === null) return undefined;
    const [, wellKnown = '', browser, scheme, authority, rest = ''] = front;
    const url = urlOf(`${scheme}://${authority}${wellKnown}${rest}`);
    if (url === undefined || !this.#isNamed(url.origin)) return { stranger: `${scheme}://${authority}` };
    if (browser !== undefined) return { browser: url.href };
    return this.directly(url.href);
  }

  /** Returns the upstream and path of a named URL. */
  directly(uri: string): { upstream: Upstream; path: string } {
    const { origin, pathname, search } = new URL(uri);
    return { upstream: parseUpstream(origin, this.#env), path: pathname + search };
  }

  /** Returns the server's real name of a proxied resource, for token requests (RFC 8707). */
  resource(uri: string): string {
    const [, authority, rest = ''] = /^http:\/\/([^/?#]*)(.*)$/is.exec(uri) ?? [];
    if (authority === undefined || !isOurs(authority, this.#names)) return uri;
    return this.#names.upstream.origin + rest;
  }

  #isNamed(origin: string): boolean {
    return origin === this.#names.upstream.origin || this.#named.has(origin);
  }
}

function urlOf(uri: string): URL | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const isPlain = url?.username === '' && url.password === '' && /^https?:$/.test(url.protocol);
  return isPlain ? url : undefined;
}
