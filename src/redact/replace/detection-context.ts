import type { Span } from '../../protocol/json-scan.ts';
import type { ScanResult, TrigramTable } from '../fast-prefilter/trigram-scan.ts';
import type { CompiledRedactionRules, Where } from '../rules/compile-redaction-rules.ts';
import type { KnownValues } from './known-values.ts';
import { placeholdersIn, sparing } from './placeholders.ts';
import type { SecretMatch } from './secret-match.ts';
import type { TextEdit } from './text-edit.ts';

/** Text inside text (JSON in strings, URL-encoding, base64) is looked into this many levels deep. */
export const NESTING_MAX = 8;

/** Tools and state that all detectors of one redactor share. */
export interface DetectionContext {
  readonly marks: TrigramTable;
  /** The first look at a text, by the marks. */
  look(text: string): ScanResult;
  readonly needles: KnownValues;
  readonly rules: CompiledRedactionRules;
  /** Returns the replacement of a secret; undefined if it is allowed to stay. */
  redact(name: string, value: string): string | undefined;
  /** Where what is allowed to stay stands in `text`, in which something was found. */
  allowedIn(text: string, finds: readonly SecretMatch[]): readonly Span[];
  /** Remembers what the protocol needs as it is under `key`, though it looks like a secret. */
  keep(value: string, key: string): void;
  /** In text of any kind. */
  inText(text: string, nesting: number, where?: Where): TextEdit[];
  /** In text that is known to be JSON. */
  inJson(text: string, nesting: number): TextEdit[];
}

/** Returns edits that remove the matches from `text`. Placeholders and allowed values stay as they are. */
export function editsOf(text: string, finds: readonly SecretMatch[], search: FindSearch): TextEdit[] {
  if (finds.length === 0) return [];
  return outside(search.allowedIn(text, finds), sparing(placeholdersIn(text), finds)).flatMap(
    ({ name, start, end }) => {
      const instead = search.redact(name, text.slice(start, end));
      return instead === undefined ? [] : [{ start, end, text: instead }];
    },
  );
}

type FindSearch = Pick<DetectionContext, 'redact' | 'allowedIn'>;

/** Returns the spans that lie outside all `others`. */
export function outside<T extends Span>(others: readonly Span[], spans: readonly T[]): readonly T[] {
  if (others.length === 0) return spans;
  return spans.filter((span) => !others.some(({ start, end }) => start <= span.start && span.end <= end));
}
