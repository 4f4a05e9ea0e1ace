import { appendFileSync, closeSync, openSync, readSync, rmSync } from 'node:fs';
import type { CassetteEvent } from '../../cassette/cassette.ts';
import { IncrementalCassetteParser } from '../../cassette/read/incremental-cassette-parser.ts';
import { OWNER_ONLY, renameFile } from '../../cassette/write/atomic-write.ts';
import { endText, headerText } from '../../cassette/write/format-event.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { redactedEventText } from '../writer/redacted-event-text.ts';

const READ_BYTES = 1024 * 1024;
/**
 * Removes secrets that became known after their events were written. Replaces the file as a whole or not at all. Throws
 * file system errors.
 */
export function redactFinished(path: string, redactor: Redactor): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const output = openSync(temporary, 'wx', OWNER_ONLY);
  try {
    if (copy(path, output, redactor)) renameFile(temporary, path);
  } finally {
    closeSync(output);
    rmSync(temporary, { force: true });
  }
}

/** Rewrites the cassette event by event. True: its content has changed. */
function copy(path: string, output: number, redactor: Redactor): boolean {
  const walk = new IncrementalCassetteParser(path);
  let isChanged = false;
  let begun = false;
  let since = 0;
  const write = (events: readonly CassetteEvent[]) => {
    let text = !begun && walk.header ? headerText(walk.header) : '';
    begun ||= text !== '';
    for (const { frame } of events) {
      const kept = redactor.frame(frame);
      isChanged ||= kept !== frame;
      const after = frame.at - since;
      since = frame.at;
      text += redactedEventText(kept, after === 0 ? undefined : after, redactor);
    }
    appendFileSync(output, text);
  };
  for (const bytes of chunksOf(path)) write(walk.push(bytes));
  write(walk.finish());
  appendFileSync(output, endText(walk.end ?? 'complete'));
  return isChanged;
}

function* chunksOf(path: string): Generator<Uint8Array> {
  const input = openSync(path, 'r');
  try {
    for (;;) {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const length = readSync(input, buffer);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(input);
  }
}
