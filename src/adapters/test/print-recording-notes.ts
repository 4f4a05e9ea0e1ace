import { printable } from '../../text-report/printable-text.ts';

/** Says on standard error, as runners show it beside the test, what was recorded and redacted, and what cannot be played. */
export function printRecordingNotes(notes: readonly string[]): void {
  if (notes.length > 0) console.warn(notes.map((note) => `mcp-record: ${printable(note)}`).join('\n'));
}
