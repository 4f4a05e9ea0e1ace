import { type HostNames, isOurs } from '../proxy/host-names.ts';
import { parseUpstream, type Upstream } from '../upstream/upstream.ts';

/** Target of a proxy path outside the server's own paths. */
export type ProxiedTarget =
  /** A path of an authorization server, for the client's own requests. */
  | { upstream: Upstream; path: string }
  /** A page that only a browser can show, at its real address. */
  | { browser: string }
  /** An authorization server that the server has not named. */
  | { stranger: string };

/** `/.mcp-record/https/auth.example.com/token`; well-known paths stand before the path of an issuer (RFC 8414, 3.1). */
const FRONT = /^(\/\.well-known\/[\w-]+)?\/\.mcp-record\/(browser\/)?(https?)\/([^/?#]+)(.*)$/s;

/**
 * The addresses under which a client reaches, through us, the server and the authorization servers that the server names.
 * They are the only ones: a proxy for one server is no proxy for all.
 */
export class ProxiedOrigins {
  readonly #names: HostNames & { upstream: Upstream };
  readonly #env: NodeJS.ProcessEnv;
  readonly #named = new Set<string>();

  /** @param env may name proxies by which servers are reached */
  constructor(names: HostNames & { upstream: Upstream }, env: NodeJS.ProcessEnv = {}) {
    this.#names = names;
    this.#env = env;
  }

  /** Notes that the server named `uri`: the client may request it. */
  named(uri: string): void {
    const url = urlOf(uri);
    if (url !== undefined) this.#named.add(url.origin);
  }

  /**
   * The address for a client who knows us as `host`; the same where `uri` is nobody's that was named. All but the origin
   * stays as it is written: issuers and resources are compared by their letters (RFC 8414, 3.3; RFC 8707, 2).
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

  /** What `path` of ours stands for; undefined: a path of the server. */
  behind(path: string): ProxiedTarget | undefined {
    const front = FRONT.exec(path);
    if (front === null) return undefined;
    const [, wellKnown = '', browser, scheme, authority, rest = ''] = front;
    const url = urlOf(`${scheme}://${authority}${wellKnown}${rest}`);
    if (url === undefined || !this.#isNamed(url.origin)) return { stranger: `${scheme}://${authority}` };
    if (browser !== undefined) return { browser: url.href };
    return this.directly(url.href);
  }

  /** How a URL is reached that was named. */
  directly(uri: string): { upstream: Upstream; path: string } {
    const { origin, pathname, search } = new URL(uri);
    return { upstream: parseUpstream(origin, this.#env), path: pathname + search };
  }

  /** The server's own name of a resource of ours, for whoever issues a token for it (RFC 8707). */
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
