import { COPIED_LENGTH_MIN, type ScanResult, scanText, type TrigramTable } from './trigram-scan.ts';

/** Maximum length of a cached text. Pieces of a long line are shorter. */
const KEPT_LENGTH_MAX = 128 * 1024;

/** Last cached scan, shared by all sessions. */
let last: { text: string; seen: ScanResult; known: () => number; count: number } | undefined;

/**
 * Returns `scanText` with a cache of one text, because unchanged text is scanned again before it is written. The cache
 * is invalid when `known` changes. Short texts are not cached.
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
