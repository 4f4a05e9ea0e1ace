import type { Span } from '../../protocol/json-scan.ts';
import { compilePattern } from './compile-redaction-rules.ts';

/** Values that a user allows to stay. */
export interface AllowList {
  /** Reports whether a value may stay as a whole. */
  has(value: string): boolean;
  /** Returns the spans of complete allowed values in a text. */
  in(text: string): Span[];
}

/** Creates an allow list from complete values and expressions. */
export function allowList(allow: readonly (string | RegExp)[]): AllowList {
  const values = new Set(allow.filter((value) => typeof value === 'string'));
  const patterns = allow.filter((value) => typeof value !== 'string').map(compilePattern);
  return {
    has: (value) => values.has(value) || patterns.some((pattern) => pattern.test(value)),
    in: (text) => [...values].flatMap((value) => occurrences(text, value)),
  };
}

function occurrences(text: string, value: string): Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length))
    spans.push({ start, end: start + value.length });
  return spans;
}
