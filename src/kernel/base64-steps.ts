/** So many letters are whole groups, and say so many bytes. */
const STEP_LETTERS = 16 * 1024;
const STEP_BYTES = (STEP_LETTERS / 4) * 3;

/** Kept, for a fresh buffer costs as much as decoding. */
let said: Buffer | undefined;

/**
 * How far the letters of base64, as `A-Za-z0-9+/` are, go on at `at` of `text`, in large steps only: what says the same when it
 * is encoded again is nothing else, which is told natively in a fifth of the time that an expression takes.
 */
export function base64StepsEnd(text: string, at: number): number {
  said ??= Buffer.allocUnsafeSlow(STEP_BYTES);
  for (let end = at + STEP_LETTERS; end <= text.length; end += STEP_LETTERS) {
    const step = text.slice(at, end);
    said.write(step, 'base64');
    if (said.toString('base64') !== step) break;
    at = end;
  }
  return at;
}
