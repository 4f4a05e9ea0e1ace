// Fast path. Duplicates: a regular expression over the letters of base64. Handles: long runs, such as images.
// Gain: docs/decisions/0008-what-recording-costs.md. Equality test: test/kernel/fast-base64-check.test.ts.

/** So many letters are whole groups, and say so many bytes. */
const STEP_LETTERS = 16 * 1024;
const STEP_BYTES = (STEP_LETTERS / 4) * 3;

/** Kept, for a fresh buffer costs as much as decoding. */
let said: Buffer | undefined;

/** A decoder may read such a character by its lower byte. Text that V8 keeps as bytes is not searched for it. */
const WIDE = /[\u0100-\uffff]/;

/**
 * How far the letters of base64, of either alphabet, go on at `at` of `text`, in large steps only: decoding passes over whatever is
 * no letter, so what says as many bytes as it should is nothing else, which is told natively in a tenth of the time that an
 * expression takes.
 */
export function fastBase64End(text: string, at: number): number {
  said ??= Buffer.allocUnsafeSlow(STEP_BYTES);
  for (let end = at + STEP_LETTERS; end <= text.length; end += STEP_LETTERS) {
    const step = text.slice(at, end);
    if (said.write(step, 'base64') !== STEP_BYTES || WIDE.test(step)) break;
    at = end;
  }
  return at;
}
