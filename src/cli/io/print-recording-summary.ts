import { statSync } from 'node:fs';
import { messageOf } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { type RecordingSummary, summarizeRecording } from '../../record/summary/recording-summary.ts';
import { redactedNumbersWarning } from '../../record/summary/redacted-numbers.ts';
import type { RedactedValue } from '../../record/summary/redacted-values.ts';
import { unredactableValues, unredactableWarning } from '../../record/summary/unredactable-values.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { printable } from '../../text-report/printable-text.ts';
import { say } from './output.ts';

/** Maximum number of lines named per kind of secret. */
const LINES_MAX = 5;
/**
 * Maximum size of a cassette that is read to list redactions. Reading larger cassettes would keep the client waiting
 * for the recorder's exit.
 */
const COUNTED_BYTES_MAX = 64 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** Prints what was recorded, with the kinds and lines of redacted secrets, and the path of the cassette: `3 calls, 1 value redacted (github-token on line 12) → add.yaml`. */
export function sayRecorded(path: string, redactor: Redactor | undefined): void {
  const { text, redacted = [] } = recordedIn(path, redactor?.hasRedacted() ?? false);
  say(printable(`${text} → ${path}`));
  const numbers = redactor && redactedNumbersWarning(path, redacted, redactor.isOfNumber);
  if (numbers) say(printable(numbers));
  if (redactor?.hasUnredactable()) sayUnredactable(path, redactor);
}

/** Prints a warning about values that a rule matches and that stay in the cassette. */
function sayUnredactable(path: string, redactor: Redactor): void {
  try {
    const warning = unredactableWarning(path, unredactableValues(path, redactor));
    if (warning) say(warning.message);
  } catch {
    // The summary says that the cassette cannot be read again.
  }
}

function recordedIn(path: string, hasRedacted: boolean): { text: string; redacted?: readonly RedactedValue[] } {
  try {
    const { size } = statSync(path);
    if (!hasRedacted && size > COUNTED_BYTES_MAX)
      return { text: `${Math.round(size / MEGABYTE)} MB, nothing redacted` };
    const summary = summarizeRecording(path);
    return { text: `${countsOf(summary)}, ${redactedText(summary.redacted)}`, redacted: summary.redacted };
  } catch (error) {
    return { text: `recorded, but the cassette cannot be read again (${messageOf(error)})` };
  }
}

function countsOf({ calls, requests }: RecordingSummary): string {
  if (requests === 0) return 'no request of a client';
  return calls > 0 ? formatCount(calls, 'call') : `no call, ${formatCount(requests, 'other request')}`;
}

function redactedText(values: readonly RedactedValue[]): string {
  if (values.length === 0) return 'nothing redacted';
  const count = new Set(values.map(({ placeholder }) => placeholder)).size;
  const places = values.length > count ? ` in ${formatCount(values.length, 'place')}` : '';
  const kinds = [...new Set(values.map(({ kind }) => kind))].map((kind) => `${kind} on ${linesOf(kind, values)}`);
  return `${formatCount(count, 'value')} redacted${places} (${kinds.join('; ')})`;
}

function linesOf(kind: string, values: readonly RedactedValue[]): string {
  const lines = [...new Set(values.filter((value) => value.kind === kind).map(({ line }) => line))];
  const more = lines.length - LINES_MAX;
  const named = lines.slice(0, LINES_MAX).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
