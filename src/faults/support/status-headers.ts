import type { Headers } from '../../channel/frame.ts';

/** Header fields required or usual with an HTTP status (RFC 9110; RFC 6750 for tokens). */
export const STATUS_HEADERS: Readonly<Record<number, Headers>> = {
  401: { 'www-authenticate': 'Bearer error="invalid_token"' },
  403: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="mcp"' },
  405: { allow: 'POST' },
  429: { 'retry-after': '1' },
  503: { 'retry-after': '1' },
};
