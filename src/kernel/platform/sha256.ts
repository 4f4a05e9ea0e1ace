import { createHash } from 'node:crypto';

/** Returns the SHA-256 of bytes, in hexadecimal digits. `sha256-in-browser.ts` has the same function for a browser. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
