import { literalSource } from '../../kernel/linear-regex.ts';
import { partsOf, shapeOf } from '../../match/volatile-text-parts.ts';

/** An expression that matches changed values. */
export interface ProposedPattern {
  source: string;
  /** Whether all matched values are dates, times or durations, which later messages do not refer to. */
  isPassing: boolean;
  /**
   * Literal text at the beginning of every match. Absent if there is none, or if the match begins with the whole text.
   */
  before?: string;
  /** Whether few other texts have the form of the value, so that the pattern needs no text before it. */
  isSpecific?: true;
}

/** Maximum length of the literal text on one side of a pattern. */
export const CONTEXT_MAX = 24;
export const isEnough = (literal: string): boolean => /[\p{L}_].*[\p{L}_]/su.test(inLine(literal));
const lineOf = (literal: string): string => literal.slice(literal.lastIndexOf('\n') + 1);
const inLine = (literal: string): string => lineOf(literal).slice(-CONTEXT_MAX);

/** Returns a pattern with less of the text before its values. */
export function withContext(pattern: ProposedPattern, context: string): ProposedPattern {
  const { before, ...rest } = pattern;
  const source = escapeLiteral(context) + formOf(pattern);
  return { ...rest, source, ...(context !== '' && { before: context }) };
}

/** Returns the expression of a pattern without the text before its values. */
export function formOf({ source, before = '' }: ProposedPattern): string {
  return source.slice(escapeLiteral(before).length);
}

/**
 * Returns the literal text before the values that two patterns have in common, from a word's beginning. Undefined if it
 * is too short.
 */
export function sharedContext(one: ProposedPattern, other: ProposedPattern): string | undefined {
  const [a = '', b = ''] = [one.before, other.before];
  if (formOf(one) !== formOf(other)) return undefined;
  let length = 0;
  while (length < Math.min(a.length, b.length) && a.at(-1 - length) === b.at(-1 - length)) length++;
  const shared = a.slice(a.length - length);
  if (a === b) return isEnough(a) ? a : undefined;
  const context = fromWord(shared);
  // A single word, such as "at", is too common: other values may follow it.
  return /\p{L}{2,}\P{L}+\p{L}{2,}/u.test(context) ? context : undefined;
}

/** Returns the text from its first whole word on. */
function fromWord(text: string): string {
  return text.replace(/^[\p{L}\p{N}]+(?=[^\p{L}\p{N}])/u, '').trimStart();
}

/** Key of a member in JSON, and the beginning of its value: the same before each item of a list. */
const JSON_KEY = /\\?"[^"\\]*[\p{L}_][^"\\]*[\p{L}_][^"\\]*\\?"\s*:\s*(?:\\?"[\w-]*)?$/u;

const KEY_LENGTH_MAX = 100;

/** Text before a value, and its source: with the beginning of the whole text where it is short. */
export function literalBefore(literal: string, isFirst: boolean): { source: string; text: string } {
  const line = inLine(literal);
  if (line === literal && isFirst && !isEnough(literal)) return { source: `^${escapeLiteral(line)}`, text: '' };
  const [key] = JSON_KEY.exec(lineOf(literal).slice(-KEY_LENGTH_MAX)) ?? [];
  if (key !== undefined) return { source: escapeLiteral(key), text: key };
  // Cut at the beginning of a word.
  const cut = line === literal || line === lineOf(literal) ? line : fromWord(line);
  const text = isEnough(cut) || !isEnough(line) ? cut : line;
  return { source: escapeLiteral(text), text };
}

export function literalAfter(literal: string, isLast: boolean): string {
  const [line = ''] = literal.split('\n');
  if (line.length <= CONTEXT_MAX) return escapeLiteral(line) + (isLast && line === literal ? '$' : '');
  return escapeLiteral(line.slice(0, CONTEXT_MAX).replace(/\s[^\s]*$/, ''));
}

/**
 * Returns the literal text between a value and the value before. If that text is too short, adds the form of the value
 * before.
 */
export function contextBefore(left: string): { source: string; text: string } | undefined {
  const parts = partsOf(left);
  let source = '';
  for (const [index, { kind, text }] of [...parts.entries()].reverse()) {
    if (kind !== 'literal') source = (shapeOf([text])?.source ?? '\\w+') + source;
    else if (isEnough(text)) {
      const before = literalBefore(text, index === 0);
      return { source: before.source + source, text: source === '' ? before.text : '' };
    } else source = escapeLiteral(text) + source;
  }
  return undefined;
}

export function escapeLiteral(literal: string): string {
  return literalSource(literal).replaceAll('\n', '\\n');
}
