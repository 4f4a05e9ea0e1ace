import { literalSource } from '../../kernel/linear-regex.ts';
import { partsOf, shapeOf } from '../../match/volatile-text-parts.ts';

/** An expression for values that differ. */
export interface ProposedPattern {
  source: string;
  /** Whether all of its values are dates, times and durations, by which no later message names anything. */
  isPassing: boolean;
  /** Text with which every match begins. Absent: the beginning is no text alone, or is that of the text. */
  before?: string;
}

/** Maximum length of the literal text on one side of a pattern. */
export const CONTEXT_MAX = 24;
export const isEnough = (literal: string): boolean => /[\p{L}_].*[\p{L}_]/su.test(inLine(literal));
const lineOf = (literal: string): string => literal.slice(literal.lastIndexOf('\n') + 1);
const inLine = (literal: string): string => lineOf(literal).slice(-CONTEXT_MAX);

/** Returns a pattern with less of the text before its values. */
export function withContext({ source, isPassing, before = '' }: ProposedPattern, context: string): ProposedPattern {
  const rest = source.slice(escapeLiteral(before).length);
  return { source: escapeLiteral(context) + rest, isPassing, before: context };
}

/** Returns the text before the values that two patterns share, from the beginning of a word. Undefined: it is too short. */
export function sharedContext(one: ProposedPattern, other: ProposedPattern): string | undefined {
  const [a = '', b = ''] = [one.before, other.before];
  if (withContext(one, '').source !== withContext(other, '').source) return undefined;
  let length = 0;
  while (length < Math.min(a.length, b.length) && a.at(-1 - length) === b.at(-1 - length)) length++;
  const shared = a.slice(a.length - length);
  if (a === b) return isEnough(a) ? a : undefined;
  const context = fromWord(shared);
  // One word, such as "at", would stand before other values, too.
  return /\p{L}{2,}\P{L}+\p{L}{2,}/u.test(context) ? context : undefined;
}

/** Returns a text from the beginning of its first whole word. */
function fromWord(text: string): string {
  return text.replace(/^[\p{L}\p{N}]+(?=[^\p{L}\p{N}])/u, '').trimStart();
}

/** Text before a value, and its source: with the beginning of the whole text where it is short. */
export function literalBefore(literal: string, isFirst: boolean): { source: string; text: string } {
  const line = inLine(literal);
  if (line === literal && isFirst && !isEnough(literal)) return { source: `^${escapeLiteral(line)}`, text: '' };
  // Cut at the beginning of a word.
  const text = line === literal || line === lineOf(literal) ? line : fromWord(line);
  return { source: escapeLiteral(text), text };
}

export function literalAfter(literal: string, isLast: boolean): string {
  const [line = ''] = literal.split('\n');
  if (line.length <= CONTEXT_MAX) return escapeLiteral(line) + (isLast && line === literal ? '$' : '');
  return escapeLiteral(line.slice(0, CONTEXT_MAX).replace(/\s[^\s]*$/, ''));
}

/** Returns the text before a value since the value before. Where that is too short, the form of that value stands there, too. */
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
