import type { Span } from '../protocol/json-scan.ts';
import { credentialNamed } from './credential-names.ts';
import { GRAM, gramsIn, gramsInBytes, MAY_HOLD, type Marks } from './survey.ts';

/** Longer strings are no words. */
const WORD_LENGTH_MAX = 64;

/** Of such characters nothing can be made that sets a value apart from its name, as in `--token x`, `token=x`. */
const WORD = /^[\w/.]+$/;

/**
 * Whether all that is marked as part of a name in `text`, which is JSON without escapes, stands in strings of one word
 * that names no credential: `"progressToken"` does so in half of all messages.
 */
export function hasHarmlessNamesOnly(text: string, marks: Marks): boolean {
  return gramsIn(text, marks, MAY_HOLD.name).every((end) => isHarmless(stringAround(text, end)));
}

/** The same of text that is ASCII, as bytes. */
export function hasHarmlessNamesOnlyIn(ascii: Uint8Array, marks: Marks, span: Span): boolean {
  return gramsInBytes(ascii, marks, MAY_HOLD.name, span).every((end) =>
    isHarmless(stringAt(ascii, end, span)),
  );
}

function isHarmless(string: string | undefined): boolean {
  return string !== undefined && WORD.test(string) && credentialNamed(string) === undefined;
}

/** What stands between the quotes around the gram that ends at `end`; undefined where that is too long. */
function stringAround(text: string, end: number): string | undefined {
  const from = Math.max(0, end - WORD_LENGTH_MAX);
  const near = text.slice(from, end + WORD_LENGTH_MAX);
  const open = near.lastIndexOf('"', end - GRAM - from);
  const close = near.indexOf('"', end - from);
  return open < 0 || close < 0 ? undefined : near.slice(open + 1, close);
}

/** What stands between the quotes around the gram that ends at `end`, read from bytes. */
function stringAt(ascii: Uint8Array, end: number, span: Span): string | undefined {
  const first = Math.max(span.start, end - WORD_LENGTH_MAX);
  const last = Math.min(span.end, end + WORD_LENGTH_MAX);
  let open = end - GRAM;
  while (open >= first && ascii[open] !== QUOTE) open--;
  let close = end;
  while (close < last && ascii[close] !== QUOTE) close++;
  if (open < first || close === last) return undefined;
  return String.fromCharCode(...ascii.subarray(open + 1, close));
}

const QUOTE = 0x22;
