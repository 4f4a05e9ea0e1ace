import { isObject } from '../protocol/message.ts';
import { ExactNumber } from './exact-number.ts';

/**
 * Text that is equal for equal JSON values only: key order does not count, the order of lists does. An element that
 * was taken out of a list is nothing, which is no value of JSON.
 */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === undefined) return '';
  if (value instanceof ExactNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value);
  if (keys.length > 1) keys.sort();
  let members = '';
  for (const key of keys) members += `${members && ','}${quoted(key)}:${canonical(value[key])}`;
  return `{${members}}`;
}

/** What `JSON.stringify` says of a text, which for most is the text between quotes. */
function quoted(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const SPECIAL = /["\\\0-\x1f\ud800-\udfff]/;
