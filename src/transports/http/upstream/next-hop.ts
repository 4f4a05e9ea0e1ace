import type { Headers } from '../../../channel/frame.ts';
import type { Upstream } from './upstream.ts';

/** The next machine on the way to a server: itself, or a web proxy that asks it for us. */
export interface NextHop {
  isSecure: boolean;
  hostname: string;
  port: number;
  /** What to ask it for: a path, or of a proxy the whole URL (RFC 9112, 3.2.2). */
  target(path: string): string;
  /** Said to it alone. */
  headers: Headers;
}

/** The machine that requests to `upstream` are said to. A proxy only passes on what is encrypted, and is not told. */
export function nextHop({ proxy, origin, isSecure, hostname, port }: Upstream): NextHop {
  if (proxy === undefined || isSecure) return { isSecure, hostname, port, target: (path) => path, headers: {} };
  return { ...proxy, target: (path) => origin + path };
}
