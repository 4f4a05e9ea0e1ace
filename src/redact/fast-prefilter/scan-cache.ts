import { COPIED_LENGTH_MIN, type ScanResult, scanText, type TrigramTable } from './trigram-scan.ts';

/** A longer text is not kept in memory for being looked at again: a piece of a long line is shorter. */
const KEPT_LENGTH_MAX = 128 * 1024;

/** The last look that is remembered: one for all, however many sessions there are. */
let last: { text: string; seen: ScanResult; known: () => number; count: number } | undefined;

/**
 * `scanText`, which remembers a look at a text that is not short until somebody looks at another, or `known` says another number: what
 * stayed as it was is looked at once more before it is written.
 */
export function cachedScan(marks: TrigramTable, known: () => number): (text: string) => ScanResult {
  return (text) => {
    if (text.length < COPIED_LENGTH_MIN || text.length > KEPT_LENGTH_MAX) return scanText(text, marks);
    const count = known();
    if (last?.text !== text || last.known !== known || last.count !== count)
      last = { text, seen: scanText(text, marks), known, count };
    return last.seen;
  };
}
