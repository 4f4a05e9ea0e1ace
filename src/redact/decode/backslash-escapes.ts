import type { TextEdit } from '../replace/text-edit.ts';
import { type DecodedText, withReplacements } from './decoded-text-offsets.ts';

/** Escapes of JSON and of string literals for single characters. Those of white space only separate words. */
const ESCAPE = /\\(?:(["\\/])|u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi;

/** Escape that may stand for any character of a secret, so that the prefilter cannot see the secret. */
const NUMERIC = /\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2})/i;

/** Reports whether a text has an escape that may stand for any character. */
export function mayHideCharacter(text: string): boolean {
  return text.includes('\\') && NUMERIC.test(text);
}

/**
 * Decodes the escapes of `text`, which may have JSON or code in it, such as `Result: {"a":"b\u002dc"}`. Undefined: it
 * has none.
 */
export function withoutEscapes(text: string): DecodedText | undefined {
  if (!text.includes('\\')) return undefined;
  const stretches: TextEdit[] = [];
  for (const { 0: written, 1: itself, 2: braced, 3: four, 4: two, index } of text.matchAll(ESCAPE)) {
    const code = Number.parseInt(braced ?? four ?? two ?? '0', 16);
    const character = itself ?? (code <= CODE_MAX ? String.fromCodePoint(code) : written);
    stretches.push({ start: index, end: index + written.length, text: character });
  }
  return stretches.length === 0 ? undefined : withReplacements(text, stretches);
}

const CODE_MAX = 0x10ffff;
