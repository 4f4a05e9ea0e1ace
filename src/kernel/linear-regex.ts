import type { RE2JS } from 're2js';
import { messageOf } from './errors.ts';
import { re2 } from './platform/load-re2.ts';
import { type FieldProblem, leavesOf, type Path } from './validate-fields.ts';

/** Range of a match in a text: UTF-16 offsets, with an exclusive end. */
export interface Match {
  start: number;
  end: number;
}

/** Regular expression of a user, compiled for RE2. Matching takes linear time, because RE2 never backtracks. */
export interface LinearRegex {
  /** Returns the range of each match. An expression with groups gives the range of its first group. */
  spans(text: string): Match[];
  /** Returns the range of each whole match. */
  matches(text: string): Match[];
  test(text: string): boolean;
  /** Lengths of the constant prefix and suffix of each match: 3 and 0 for `at \d+`. */
  readonly fixed: Ends;
}

/** Lengths at both ends of a text. */
export interface Ends {
  start: number;
  end: number;
}

/**
 * Compiles an expression for RE2, which has no lookarounds and no back references.
 * @throws RE2JSException with the reason, if RE2 rejects the expression
 */
export function compileLinear(pattern: string | Pick<RegExp, 'source' | 'flags'>): LinearRegex {
  const { source, flags } = typeof pattern === 'string' ? { source: pattern, flags: '' } : pattern;
  const { RE2JS } = re2();
  const options =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0);
  const expression = RE2JS.compile(RE2JS.translateRegExp(source), options);
  return {
    spans: (text) => spansOf(expression, text, Math.min(1, expression.groupCount())),
    matches: (text) => spansOf(expression, text, 0),
    test: (text) => expression.matcher(text).find(),
    fixed: flags.includes('i') ? NO_FIXED_ENDS : fixedEnds(source),
  };
}

const NO_FIXED_ENDS: Ends = { start: 0, end: 0 };

/** Part of an expression: an escape, a class, a quantifier, or a character. */
const PARTS = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gs;

/** Syntax that `fixedEnds` cannot read: inline flags, and escapes longer than one character. */
const UNREAD = /\(\?(?!:)|\\(?![dDwWsSbBnrt]|[^A-Za-z0-9])/s;

/**
 * Returns the lengths of an expression's constant prefix and suffix. Both are 0 if the expression has no variable part.
 */
function fixedEnds(source: string): Ends {
  if (UNREAD.test(source)) return NO_FIXED_ENDS;
  const isFixed: boolean[] = [];
  let depth = 0;
  for (const [part] of source.matchAll(PARTS)) {
    if (part === '(') depth++;
    if (part === '|' && depth === 0) return NO_FIXED_ENDS;
    if (/^(?:[*+?]|\{\d)/.test(part)) isFixed[isFixed.length - 1] = false;
    // An anchor takes no text.
    else if (part !== '^' && part !== '$') isFixed.push(depth === 0 && isFixedText(part));
    if (part === ')') depth--;
  }
  const start = isFixed.indexOf(false);
  return start < 0 ? NO_FIXED_ENDS : { start, end: isFixed.length - 1 - isFixed.lastIndexOf(false) };
}

/** Form of a group that is not meant as a value: `(a)+` and `(a)?` are repeated, `(CUST|ORD)` has words alone. */
export type NoValueGroup = 'repeated' | 'words';

/**
 * Returns how the first capturing group of an expression can be no value. Undefined: it may be one, or there is none. A
 * group with a name, `(?<id>CUST|ORD)`, is always taken for one.
 */
export function noValueGroup(source: string): NoValueGroup | undefined {
  const parts = [...source.matchAll(PARTS)].map(([part]) => part);
  const isCapturing = (at: number) => parts[at] === '(' && (parts[at + 1] !== '?' || /[P<]/.test(parts[at + 2] ?? ''));
  const start = parts.findIndex((_, at) => isCapturing(at));
  if (start < 0 || parts[start + 1] === '?') return undefined;
  let depth = 0;
  const end = parts.findIndex((part, at) => {
    if (at >= start && part === '(') depth++;
    return at >= start && part === ')' && --depth === 0;
  });
  if (/^(?:[*+?]|\{\d)/.test(parts[end + 1] ?? '')) return 'repeated';
  const inside = parts.slice(start + 1, end);
  const isWhole = start === 0 && end === parts.length - 1;
  return !isWhole && inside.every((part) => part === '|' || isFixedText(part)) ? 'words' : undefined;
}

/** Reports whether a part of an expression stands for itself: a character, or an escaped sign. */
function isFixedText(part: string): boolean {
  return part.length === 1 ? !/[.()|]/.test(part) : /^\\[^A-Za-z0-9]$/s.test(part);
}

/** A text of letters, a digit and signs, which no form of a date, an id or a token fits as a whole. */
const ANY_TEXT = 'Zq7-.';

/** Reports whether an expression matches every text or every word, so that no text would be compared without its matches. */
export function matchesEveryText(expression: LinearRegex): boolean {
  return expression.matches(ANY_TEXT).reduce((sum, { start, end }) => sum + end - start, 0) === ANY_TEXT.length;
}

function spansOf(expression: RE2JS, text: string, group: number): Match[] {
  const spans: Match[] = [];
  const matcher = expression.matcher(text);
  while (matcher.find()) {
    // An optional group without a match has a negative start.
    const taken = matcher.start(group) >= 0 ? group : 0;
    spans.push({ start: matcher.start(taken), end: matcher.end(taken) });
  }
  return spans;
}

/** A regular expression as users write it: between slashes, with optional flags. */
const BETWEEN_SLASHES = /^\/(.+)\/([ims]*)$/s;

/** Returns the regular expression in a value such as `/^rain/i`. Undefined: the value has another form. */
export function expressionIn(written: unknown): Pick<RegExp, 'source' | 'flags'> | undefined {
  const [, source, flags] = typeof written === 'string' ? (BETWEEN_SLASHES.exec(written) ?? []) : [];
  return source === undefined || flags === undefined ? undefined : { source, flags };
}

/** Text that looks like an expression with unsupported flags. Some paths, such as `/a/d`, have the same form. */
const OTHER_FLAGS = /^\/.+\/(?=[a-z]*[dguyv])[dgimsuyv]{1,4}$/s;
/** The same with any letters, where the text has characters that paths, globs and URI templates rarely have. */
const OTHER_LETTERS = /^\/(?=.*[\^$()[\]|\\]).+\/[A-Za-z]{1,6}$/s;

function hasOtherFlags(text: string): boolean {
  return OTHER_FLAGS.test(text) || (OTHER_LETTERS.test(text) && !BETWEEN_SLASHES.test(text));
}

/** Returns the first invalid expression in a tree of values. Undefined: all expressions are valid. */
export function expressionProblem(written: unknown, path: Path): FieldProblem | undefined {
  for (const leaf of leavesOf(written, path)) {
    if (typeof leaf.value === 'string' && hasOtherFlags(leaf.value)) {
      const why = `${leaf.value} has flags that an expression has not`;
      return {
        path: leaf.path,
        why,
        next: 'An expression has no flags but i, m and s. For a text, escape it: /^\\/…$/.',
      };
    }
    const expression = expressionIn(leaf.value);
    try {
      if (expression !== undefined) compileLinear(expression);
    } catch (error) {
      const why = `${String(leaf.value)} is not a regular expression: ${messageOf(error)}`;
      const next = 'Write an expression of RE2, which has no lookarounds and no back references.';
      return { path: leaf.path, why, next };
    }
  }
  return undefined;
}

/** Returns the source of an expression that matches `text` literally. */
export function literalSource(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
