import type { WireFrame } from '../../channel/frame.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';

/** Returns the access token of a client's request (RFC 6750, 2.1). */
export function bearerOf(frame: WireFrame): string | undefined {
  if (frame.kind !== 'message' && frame.kind !== 'open') return undefined;
  return /^bearer +(\S+)$/i.exec(frame.headers?.authorization ?? '')?.[1];
}

/**
 * Returns the scopes of a JWT access token (RFC 9068, 2.2.3), without verifying its signature. Undefined: the token has
 * no scope claim.
 */
export function scopesOf(token: string): readonly string[] | undefined {
  const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return isObject(claims) && typeof claims.scope === 'string' ? claims.scope.split(' ') : undefined;
}
