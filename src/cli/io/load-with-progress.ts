import type { Cassette } from '../../cassette/cassette.ts';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import { printable } from '../../text-report/printable-text.ts';
import { progressOn, type Terminal } from './progress.ts';

/**
 * Loads a cassette, with progress output on a terminal.
 * @throws McpRecordError as `loadCassette`
 */
export function loadWithProgress(file: string, terminal: Terminal = process.stderr): Cassette {
  const progress = progressOn(terminal, `reading ${printable(file)}`);
  try {
    return loadCassette(file, progress);
  } finally {
    progress?.(1, 1);
  }
}
