import { printable } from '../../text-report/printable-text.ts';

/** Prints notes about recordings, redactions and unplayable entries to standard error. Runners show them beside the test. */
export function printRecordingNotes(notes: readonly string[]): void {
  if (notes.length > 0) console.warn(notes.map((note) => `mcp-record: ${printable(note)}`).join('\n'));
}
