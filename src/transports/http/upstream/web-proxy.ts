import type { Headers } from '../../../channel/frame.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { isLoopback } from '../../../protocol/loopback.ts';

/** Web proxy between this machine and the internet. */
export interface WebProxy {
  /** `http://proxy.example:3128`, without credentials. */
  origin: string;
  isSecure: boolean;
  hostname: string;
  port: number;
  /** Credentials, if any, which only the proxy receives. */
  headers: Headers;
}

/**
 * Returns the web proxy for requests to `url`. The environment names it: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and
 * `NO_PROXY`; lower-case names take precedence. Undefined: connect directly. Loopback addresses never use a proxy.
 * @throws McpRecordError USAGE_BAD_PROXY
 */
export function webProxyFor(url: URL, env: Readonly<Record<string, string | undefined>>): WebProxy | undefined {
  const value = (name: string) => env[name.toLowerCase()] || env[name];
  const name = [`${url.protocol.slice(0, -1).toUpperCase()}_PROXY`, 'ALL_PROXY'].find(value);
  if (name === undefined || isLoopback(url.hostname) || isExcepted(url, value('NO_PROXY') ?? '')) return undefined;
  const text = value(name)!;
  const full = text.includes('://') ? text : `http://${text}`;
  const proxy = URL.canParse(full) ? new URL(full) : undefined;
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol)) throw badProxy(name, proxy?.protocol);
  const { username, password, origin, hostname, port, protocol } = proxy;
  const isSecure = protocol === 'https:';
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    origin,
    isSecure,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 443 : 80),
    headers:
      credentials === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` },
  };
}

/** Reports whether `NO_PROXY` names the host or a parent domain, with its port if given. `*` names all hosts. */
export function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const own = port || (protocol === 'https:' ? '443' : '80');
  return exceptions.split(/[\s,]+/).some((exception) => {
    if (exception === '*') return true;
    const [, host = '', only] = /^\*?\.?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(exception.toLowerCase()) ?? [];
    if (host === '' || (only !== undefined && only !== own)) return false;
    return hostname === host || hostname.endsWith(`.${host}`);
  });
}

/** Returns the error for an unusable proxy. The value may contain a password, so it is not shown. */
function badProxy(name: string, protocol: string | undefined): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_PROXY',
    what: `Cannot use the proxy that ${name} names`,
    why: protocol === undefined ? 'it is no URL' : `"${protocol}" is not HTTP`,
    next: 'Name one that speaks HTTP, such as http://proxy.example:3128, or except the server: NO_PROXY=example.com.',
  });
}
