import type { Span } from '../../../protocol/json-scan.ts';
import { isNameOfCode, isStrongPassword, looksGenerated, SHUFFLED_IN_CODE_MIN } from '../plausibility.ts';
import { isExpression } from './code-after-names.ts';

/** What may stand before a name that begins its line: `export PASSWORD=…`, `- PASSWORD=…`. */
const LINE_START = /(?:^|[\r\n])[ \t]{0,16}(?:export[ \t]|set[ \t]|ENV[ \t]|-[ \t])?$/;
const LINE_START_LENGTH_MAX = 28;

/** Punctuation that closes a bracket or a sentence, then a character that also separates values or a quote, and what follows it. */
const REST = /[)\]},.:]{0,8}[,;|&<>"'`][^\s\\]{1,256}/y;
const QUOTE = /["'`]/;
const END_OF_LINE = /[ \t]*(?:[\r\n]|$)/y;
/** Name of another value, the end of a text or an element, or a character reference of HTML. Group 1 is the name. */
const NEXT = /[,;|&]([A-Za-z_][\w.-]{0,63})[=:]|["'`](?:[,:;)\]}+>]|$)|<\/|&(?:[A-Za-z]{2,8}|#\w{1,6});/g;
/** Beginning of an element, and what is after a value in a form. They are no part of a value that a person has chosen. */
const MARKUP_OR_FORM = /&|<[A-Za-z!?]/;
const VARIABLE = /^[A-Z][A-Z\d_]*$/;
/** Field of a table or list: a word or a number. */
const FIELD = /^(?:[A-Z]?[a-z]{3,}|[A-Z]{3,}|\d{2,})$/;

/** Value without quotes after a name. */
interface BareValue extends Span {
  name: string;
  /** Offset of the name. */
  nameStart: number;
}

/**
 * Returns the end of a value that goes on after a character that also separates values: `DB_PASSWORD=a9,x;y`. The line
 * of a `.env` or `.ini` file needs no quotes for it, and a generated password may have it in any text.
 */
export function endInLine(text: string, { name, nameStart, start, end }: BareValue): number {
  REST.lastIndex = end;
  const rest = REST.exec(text)?.[0];
  if (rest === undefined) return end;
  const isWholeLine = isLineStart(text, nameStart) && isLineEnd(text, end + rest.length);
  const next = nextValueIn(rest);
  if (isWholeLine && next === undefined && isOneValue(text.slice(start, end + rest.length), { name, rest }))
    return end + rest.length;
  const more = withoutClosing(rest.slice(0, next).split(QUOTE, 1)[0]!);
  const isMore = isStrongPassword(text.slice(start, end + more.length), SHUFFLED_IN_CODE_MIN) && !hasField(more);
  return isMore ? end + more.length : end;
}

/** Reports whether all that a line has after its name is one value. */
function isOneValue(whole: string, { name, rest }: { name: string; rest: string }): boolean {
  if (!/[^,;|&<>)\]}.]/.test(rest)) return false;
  if (isStrongPassword(whole, SHUFFLED_IN_CODE_MIN)) return true;
  if (QUOTE.test(rest)) return false;
  return (VARIABLE.test(name) || !MARKUP_OR_FORM.test(rest)) && looksGenerated(whole) && !isExpression(whole);
}

/** Returns the offset of another value in the rest of one. Letters of a generated password may look like its name. */
function nextValueIn(rest: string): number | undefined {
  for (const { 1: name, index } of rest.matchAll(NEXT)) if (name === undefined || isNameOfCode(name)) return index;
  return undefined;
}

function isLineStart(text: string, at: number): boolean {
  return LINE_START.test(text.slice(Math.max(0, at - LINE_START_LENGTH_MAX), at));
}

function isLineEnd(text: string, at: number): boolean {
  END_OF_LINE.lastIndex = at;
  return END_OF_LINE.test(text);
}

function hasField(rest: string): boolean {
  return rest.split(/[,;|&<>]/).some((part) => FIELD.test(part));
}

/** Removes punctuation that closes what is around a value, from its end. */
function withoutClosing(rest: string): string {
  let { length } = rest;
  while (',;|&<>)]}.:'.includes(rest[length - 1] ?? ' ')) length--;
  return rest.slice(0, length);
}
