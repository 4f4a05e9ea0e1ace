import type { Edit } from './edit.ts';
import type { Find } from './find.ts';
import type { Needles } from './needles.ts';
import { placeholdersIn, sparing } from './placeholder.ts';
import type { Rules, Where } from './rules.ts';
import type { Marks } from './survey.ts';

/** Text inside text (JSON in strings, URL-encoding, base64) is looked into this many levels deep. */
export const NESTING_MAX = 8;

/** What the finders of one redactor share. Each looks at a text and answers with edits of it. */
export interface Search {
  readonly marks: Marks;
  readonly needles: Needles;
  readonly rules: Rules;
  /** What is written in the stead of a secret; undefined: it is allowed to stay. */
  redact(name: string, value: string): string | undefined;
  /** Remembers what the protocol needs as it is, though it looks like a secret. */
  keep(value: string): void;
  /** In text of any kind. */
  inText(text: string, nesting: number, where?: Where): Edit[];
  /** In text that is known to be JSON. */
  inJson(text: string, nesting: number): Edit[];
}

/** The edits that take what was found out of `text`; what was taken out before is left alone. */
export function editsOf(text: string, finds: readonly Find[], search: Pick<Search, 'redact'>): Edit[] {
  return sparing(placeholdersIn(text), finds).flatMap(({ name, start, end }) => {
    const instead = search.redact(name, text.slice(start, end));
    return instead === undefined ? [] : [{ start, end, text: instead }];
  });
}
