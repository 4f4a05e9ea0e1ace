import { messageOf } from '../../kernel/errors.ts';
import { type RedactedValue, redactedCount, redactedValues } from '../../record/summary/redacted-values.ts';
import { printable } from '../../text-report/printable-text.ts';
import { say } from './output.ts';

/** Maximum number of lines named per kind of secret. */
const LINES_MAX = 5;

/** Prints the path of a recorded cassette, with the kinds and lines of redacted secrets. */
export function sayRecorded(path: string, hasRedacted: boolean): void {
  say(printable(`recorded ${path}${hasRedacted ? `: ${redactedIn(path)}` : ''}`));
}

function redactedIn(path: string): string {
  try {
    const values = redactedValues(path);
    const kinds = [...new Set(values.map(({ kind }) => kind))];
    return `${redactedCount(values)} (${kinds.map((kind) => `${kind} on ${linesOf(kind, values)}`).join('; ')})`;
  } catch (error) {
    return `what is redacted cannot be listed: ${messageOf(error)}`;
  }
}

function linesOf(kind: string, values: readonly RedactedValue[]): string {
  const lines = [...new Set(values.filter((value) => value.kind === kind).map(({ line }) => line))];
  const more = lines.length - LINES_MAX;
  const named = lines.slice(0, LINES_MAX).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
