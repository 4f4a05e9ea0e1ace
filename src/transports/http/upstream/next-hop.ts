import type { Headers } from '../../../channel/frame.ts';
import type { Upstream } from './parse-upstream.ts';

/** Next hop of a request: the server itself, or a web proxy. */
export interface NextHop {
  isSecure: boolean;
  hostname: string;
  port: number;
  /** Returns the request target: a path, or the complete URL for a proxy (RFC 9112, 3.2.2). */
  target(path: string): string;
  /** Headers for this machine only. */
  headers: Headers;
}

/**
 * Returns the machine that receives requests to `upstream`. A web proxy receives only unencrypted requests; it tunnels
 * encrypted ones.
 */
export function nextHop({ proxy, origin, isSecure, hostname, port }: Upstream): NextHop {
  if (proxy === undefined || isSecure) return { isSecure, hostname, port, target: (path) => path, headers: {} };
  return { ...proxy, target: (path) => (path === '*' ? origin : urlOf(origin, path)) };
}

/** The slash ends the origin: `@other.example` would go on with it, and name another host. */
function urlOf(origin: string, path: string): string {
  return path.startsWith('/') ? origin + path : `${origin}/${path}`;
}
