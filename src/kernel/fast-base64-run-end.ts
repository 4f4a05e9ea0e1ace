// Fast path. Duplicates: a regular expression over the letters of base64. Handles: long runs, such as images.
// Gain: docs/decisions/0008-what-recording-costs.md. Equality test: test/kernel/fast-base64-run-end.test.ts.

/** Length of one step: whole groups of base64, and the bytes that they decode to. */
const STEP_LETTERS = 16 * 1024;
const STEP_BYTES = (STEP_LETTERS / 4) * 3;

/** Decoding buffer, reused because allocation costs as much as decoding. */
let decodeBuffer: Buffer | undefined;

/**
 * Characters above U+00FF. A decoder may read only their lower byte. V8 skips this search for texts that it stores as
 * bytes.
 */
const WIDE = /[\u0100-\uffff]/;

/**
 * Returns the end of a run of base64 letters (of either alphabet) that begins at `at`, in whole steps only. The decoder
 * skips characters outside the alphabet. A step that decodes to the full number of bytes therefore holds only letters.
 * This native check takes a tenth of the time of a regular expression.
 */
export function fastBase64End(text: string, at: number): number {
  decodeBuffer ??= Buffer.allocUnsafeSlow(STEP_BYTES);
  for (let end = at + STEP_LETTERS; end <= text.length; end += STEP_LETTERS) {
    const step = text.slice(at, end);
    if (decodeBuffer.write(step, 'base64') !== STEP_BYTES || WIDE.test(step)) break;
    at = end;
  }
  return at;
}
