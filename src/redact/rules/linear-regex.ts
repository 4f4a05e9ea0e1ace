import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import type { Span } from '../../protocol/json-scan.ts';

/** A regular expression of a user. Its time grows with the length of the text, whatever the expression: RE2 never backtracks. */
export interface LinearRegex {
  /** Returns where it matches: the first group if the expression has one, otherwise the whole match. */
  spans(text: string): Span[];
  test(text: string): boolean;
}

/**
 * Compiles an expression for RE2, which has no lookarounds and no back references.
 * @throws RE2JSException with the reason, if it is no expression of RE2
 */
export function compileLinear(pattern: string | RegExp): LinearRegex {
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

function spansOf(expression: RE2JS, text: string): Span[] {
  const spans: Span[] = [];
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
