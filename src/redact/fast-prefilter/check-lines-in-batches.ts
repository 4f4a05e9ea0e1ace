import type { KnownValues } from '../replace/known-values.ts';

/** Reports whether the bytes between two offsets cannot contain a secret. */
type IsClean = (ascii: Uint8Array, start: number, end: number) => boolean;

/**
 * Wraps `isClean` for lines that are checked in order: checks a batch of following lines at once, and single lines only
 * if the batch contains a hit.
 */
export function checkLinesInBatches(isClean: IsClean, needles: KnownValues): IsClean {
  let looked: Uint8Array | undefined;
  let isAllClean = false;
  let from = 0;
  let known = 0;
  return (ascii, start, end) => {
    const isLooked = ascii === looked && start >= from && needles.size === known;
    if (!isLooked) {
      const hasMore = end + 1 < ascii.length;
      looked = ascii;
      known = needles.size;
      isAllClean = hasMore && isClean(ascii, start, ascii.length);
    }
    from = end;
    return isAllClean || isClean(ascii, start, end);
  };
}
