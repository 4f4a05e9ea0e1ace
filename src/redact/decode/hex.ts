import type { Span } from '../../protocol/json-scan.ts';
import { BASE64_LENGTH_MIN } from '../fast-prefilter/trigram-scan.ts';
import type { TextEdit } from '../replace/text-edit.ts';
import { base64Runs } from './base64.ts';
import { type Encoding, redactEncodedRun, type Searches } from './redact-encoded-run.ts';

/** Minimum length of a decoded run. Runs of this length are base64 runs, too, which the prefilter finds. */
const HEX_LENGTH_MIN = BASE64_LENGTH_MIN;

/** Maximum length of a base64 run in which hexadecimal runs are tried at every letter. */
const MIXED_LENGTH_MAX = 4_096;
const FIRST_LETTERS = 16;

/** Decodes a run of hexadecimal digits. */
export function decodeHex(run: string): Buffer {
  return Buffer.from(run, 'hex');
}

const HEX: Encoding = {
  decode: decodeHex,
  encodeLike: (run, bytes) => {
    const hex = bytes.toString('hex');
    return /[A-F]/.test(run) ? hex.toUpperCase() : hex;
  },
};

/** Returns edits of hexadecimal runs in `text`, like `base64Edits`. Every such run lies within one of `runs`. */
export function hexEdits(text: string, searches: Searches, runs: readonly Span[] = base64Runs(text)): TextEdit[] {
  return hexRuns(text, runs).flatMap(({ start, end }) => {
    const instead = redactEncodedRun(text.slice(start, end), HEX, searches);
    return instead === undefined ? [] : [{ start, end, text: instead }];
  });
}

/** Returns the hexadecimal runs of `text` whose decoded text `isSecret` accepts. */
export function hexSecrets(
  text: string,
  isSecret: (inner: string) => boolean,
  runs: readonly Span[] = base64Runs(text),
): Span[] {
  return hexRuns(text, runs).filter(({ start, end }) =>
    isSecret(HEX.decode(text.slice(start, end)).toString('latin1')),
  );
}

/** Reports whether a base64 run of bytes is searched for hexadecimal digits. */
export function mayHoldHexBytes(run: Uint8Array): boolean {
  if (run.length <= MIXED_LENGTH_MAX) return true;
  return run.subarray(FIRST_LETTERS, FIRST_LETTERS + HEX_LENGTH_MIN).every(isDigit);
}

/**
 * Returns the hexadecimal runs. With an odd number of digits, the first or the last digit does not belong to the run,
 * so both variants are tried.
 */
export function hexRuns(text: string, runs: readonly Span[]): Span[] {
  return runs
    .filter((run) => mayHoldHex(text, run))
    .flatMap((run) => digitsIn(text, run))
    .flatMap(({ start, end }) =>
      (end - start) % 2 === 0
        ? [{ start, end }]
        : [
            { start: start + 1, end },
            { start, end: end - 1 },
          ],
    );
}

function mayHoldHex(text: string, { start, end }: Span): boolean {
  if (end - start <= MIXED_LENGTH_MAX) return true;
  const from = start + FIRST_LETTERS;
  return !NOT_DIGIT.test(text.slice(from, from + HEX_LENGTH_MIN));
}

/** Returns the runs of digits in a span. It tests one character of each possible run, then the characters before it. */
function digitsIn(text: string, { start, end }: Span): Span[] {
  const found: Span[] = [];
  for (let from = start; from + HEX_LENGTH_MIN <= end; ) {
    let before = from + HEX_LENGTH_MIN - 1;
    while (before >= from && isDigit(text.charCodeAt(before))) before--;
    if (before >= from) {
      from = before + 1;
      continue;
    }
    NEXT_NOT_DIGIT.lastIndex = from + HEX_LENGTH_MIN;
    const last = Math.min(NEXT_NOT_DIGIT.exec(text)?.index ?? end, end);
    found.push({ start: from, end: last });
    from = last;
  }
  return found;
}

const NOT_DIGIT = /[^0-9A-Fa-f]/;
const NEXT_NOT_DIGIT = /[^0-9A-Fa-f]/g;

function isDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}
