import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** As in `sha256.ts`. The function of browsers returns a promise, and the rules of `lint` return values. */
export function sha256(bytes: Uint8Array): string {
  return bytesToHex(hash(bytes));
}
