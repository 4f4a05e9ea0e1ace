import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { messageOf } from './errors.ts';
import { type FieldProblem, leavesOf, type Path } from './written-fields.ts';

/** Where an expression matches in a text: offsets of UTF-16, the end exclusive. */
export interface Match {
  start: number;
  end: number;
}

/** A regular expression of a user. Its time grows with the length of the text, whatever the expression: RE2 never backtracks. */
export interface LinearRegex {
  /** Returns where it matches: the first group if the expression has one, otherwise the whole match. */
  spans(text: string): Match[];
  test(text: string): boolean;
}

/**
 * Compiles an expression for RE2, which has no lookarounds and no back references.
 * @throws RE2JSException with the reason, if it is no expression of RE2
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
    spans: (text) => spansOf(expression, text),
    test: (text) => expression.matcher(text).find(),
  };
}

function spansOf(expression: RE2JS, text: string): Match[] {
  const spans: Match[] = [];
  const matcher = expression.matcher(text);
  const group = Math.min(1, matcher.groupCount());
  while (matcher.find()) {
    // A group that took no part in the match has no place.
    const taken = matcher.start(group) >= 0 ? group : 0;
    spans.push({ start: matcher.start(taken), end: matcher.end(taken) });
  }
  return spans;
}

/** Loaded when the first expression of a user comes up. */
function re2(): typeof import('re2js') {
  loaded ??= require('re2js') as typeof import('re2js');
  return loaded;
}

const require = createRequire(import.meta.url);
let loaded: typeof import('re2js') | undefined;

/** A text between slashes is a regular expression, perhaps with flags. */
const BETWEEN_SLASHES = /^\/(.+)\/([ims]*)$/s;

/** Returns the expression of a value such as `/^rain/i`; undefined if it is none. */
export function expressionIn(written: unknown): Pick<RegExp, 'source' | 'flags'> | undefined {
  const [, source, flags] = typeof written === 'string' ? (BETWEEN_SLASHES.exec(written) ?? []) : [];
  return source === undefined || flags === undefined ? undefined : { source, flags };
}

/** A text that somebody meant as an expression: its flags are letters, and not all of ours. A path such as `/a/b` may end so, too. */
const OTHER_FLAGS = /^\/.+\/(?=[a-z]*[dguyv])[dgimsuyv]{1,4}$/s;

/** Returns the first expression in a tree of values that RE2 does not take; undefined if there is none. */
export function expressionProblem(written: unknown, path: Path): FieldProblem | undefined {
  for (const leaf of leavesOf(written, path)) {
    if (typeof leaf.value === 'string' && OTHER_FLAGS.test(leaf.value)) {
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
      const why = `${String(leaf.value)} is no regular expression: ${messageOf(error)}`;
      const next = 'Write an expression of RE2, which has no lookarounds and no back references.';
      return { path: leaf.path, why, next };
    }
  }
  return undefined;
}
