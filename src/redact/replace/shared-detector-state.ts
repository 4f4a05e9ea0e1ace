import type { JsonPath, Span } from '../../protocol/json-scan.ts';
import type { ScanResult, TrigramTable } from '../fast-prefilter/trigram-scan.ts';
import type { CompiledRedactionRules, Where } from '../rules/compile-redaction-rules.ts';
import type { KnownValues } from './known-values.ts';
import { placeholdersIn } from './placeholder-format.ts';
import { sparing } from './placeholders.ts';
import type { SecretMatch } from './secret-match.ts';
import type { TextEdit } from './text-edit.ts';

/** Maximum levels of nested encodings (JSON in strings, URL encoding, base64) that are decoded. */
export const NESTING_MAX = 8;

/** Tools and state that all detectors of one redactor share. */
export interface DetectionContext {
  readonly marks: TrigramTable;
  /** Scans a text with the prefilter. */
  look(text: string): ScanResult;
  readonly needles: KnownValues;
  readonly rules: CompiledRedactionRules;
  /** Whether built-in detectors search, too. They never redact protocol values, unlike user rules. */
  readonly isBuiltIn: boolean;
  /** Returns the replacement of a secret. Undefined if the secret is allowed. */
  redact(name: string, value: string): string | undefined;
  /** Returns the replacement of a secret found by a user rule. */
  redactByRule(name: string, value: string): string | undefined;
  /** Notes that the secret of a placeholder is a number in JSON. */
  noteNumber(placeholder: string): void;
  /** Returns edits of a protocol value, by user rules only. */
  byRules(text: string, where: Where): TextEdit[];
  /** Reports a match of a user rule in a protocol value that is not redacted. */
  reportUnredactable(match: UnredactableMatch): void;
  /** Returns the spans of allowed values in `text`, given the matches found in it. */
  allowedIn(text: string, finds: readonly SecretMatch[]): readonly Span[];
  /** Exempts a value that the protocol needs under `key`, although it looks like a secret. */
  keep(value: string, key: string): void;
  /** Returns edits for text of any kind. */
  inText(text: string, nesting: number, where?: Where): TextEdit[];
  /** Returns edits for text that is valid JSON. */
  inJson(text: string, nesting: number): TextEdit[];
}

/** A value that matches a user rule but is not redacted, because the session needs it for playback. */
export interface UnredactableMatch {
  /** Name that the value's placeholder would have. */
  name: string;
  /** Keys and indexes from the root of the message. In a batch, from the root of the batch's element. */
  path: JsonPath;
}

/** Returns edits that replace the matches in `text`, except for placeholders and allowed values. */
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

/** Minimum length of a known secret that is searched in numbers. Shorter ones are equal to counts by chance. */
const KNOWN_NUMBER_LENGTH_MIN = 8;

/** Returns the placeholder of a number that is a known secret, such as one that was a text elsewhere. */
export function knownNumber(lexeme: string, { allowedIn, needles }: DetectionContext): string | undefined {
  if (lexeme.length < KNOWN_NUMBER_LENGTH_MIN || needles.size === 0) return undefined;
  const [known] = outside(allowedIn(lexeme, []), needles.find(lexeme));
  return known !== undefined && known.end - known.start === lexeme.length ? known.text : undefined;
}
