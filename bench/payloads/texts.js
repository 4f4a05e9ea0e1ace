/** The texts that the servers of benches answer with, as JSON, made when they are first asked for. */
import { textOf } from './kinds.js';

/** So many texts of a kind and size that is usual take turns: an answer is seldom the same as the one before. */
const VARIANTS = 64;
const LONG = 64 * 1024;

const made = new Map();

/** The text that answers the `n`th call. */
export function jsonText(kind, bytes, n) {
  const variant = bytes >= LONG ? 1 : 1 + (n % VARIANTS);
  const key = `${kind} ${bytes} ${variant}`;
  if (!made.has(key)) made.set(key, JSON.stringify(textOf(kind, bytes, variant)));
  return made.get(key);
}
