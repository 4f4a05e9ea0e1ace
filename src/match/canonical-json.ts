import { isObject } from '../protocol/message.ts';
import { ExactNumber } from './exact-json-value.ts';

/**
 * Returns a text that is equal for equal JSON values only. The order of keys does not count, the order of lists does.
 * Removed elements of a list (undefined) give an empty text, which no JSON value has.
 */
export function canonicalJson(value: unknown): string {
  try {
    return nested(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deep(value);
  }
}

/**
 * Returns the canonical text of a value for messages, cut after `lengthMax` characters. Of a long word that is cut, only the
 * beginning is left: it may be a secret, which nobody recognizes without its end.
 */
export function briefJson(value: unknown, lengthMax = 60): string {
  if (value === undefined) return 'nothing';
  const text = canonicalJson(value);
  if (text.length <= lengthMax) return text;
  const kept = text.slice(0, lengthMax);
  const [begun = ''] = kept.match(LAST_WORD) ?? [];
  const [rest = ''] = text.slice(lengthMax, lengthMax + LONG_WORD).match(FIRST_WORD) ?? [];
  const isLong = rest !== '' && begun.length + rest.length >= LONG_WORD;
  return `${isLong ? kept.slice(0, kept.length - Math.max(0, begun.length - BEGINNING)) : kept}…`;
}

/** Length from which on a word is no common one. */
const LONG_WORD = 16;
const BEGINNING = 4;
const LAST_WORD = /[\w+/=~%-]+$/;
const FIRST_WORD = /^[\w+/=~%-]+/;

function nested(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === undefined) return '';
  if (value instanceof ExactNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map(nested).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value);
  if (keys.length > 1) keys.sort();
  let members = '';
  for (const key of keys) members += `${members && ','}${quoted(key)}:${nested(value[key])}`;
  return `{${members}}`;
}

/** Returns the canonical text of a value nested too deeply for recursion. */
function deep(root: unknown): string {
  let text = '';
  const waiting: ({ text: string } | { value: unknown })[] = [{ value: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('text' in next) text += next.text;
    else if (Array.isArray(next.value)) {
      text += '[';
      waiting.push({ text: ']' });
      for (const [index, value] of [...next.value.entries()].reverse())
        waiting.push({ value }, { text: index > 0 ? ',' : '' });
    } else if (isObject(next.value) && !(next.value instanceof ExactNumber)) {
      const members = next.value;
      text += '{';
      waiting.push({ text: '}' });
      for (const [index, key] of [...Object.keys(members).sort().entries()].reverse())
        waiting.push({ value: members[key] }, { text: `${index > 0 ? ',' : ''}${quoted(key)}:` });
    } else text += nested(next.value);
  }
  return text;
}

/** Quotes a text as `JSON.stringify` does. Most texts need no escapes. */
function quoted(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const SPECIAL = /["\\\0-\x1f\ud800-\udfff]/;
