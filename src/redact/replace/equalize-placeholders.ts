import { MASKED } from '../comparison-mask-format.ts';
import { base64Runs, decodeBase64 } from '../decode/base64.ts';
import { decodeHex, hexRuns } from '../decode/hex.ts';
import { opensAsUtf16 } from '../decode/redact-encoded-run.ts';
import { type Placeholder, placeholdersIn } from './placeholder-format.ts';
import { applyEdits } from './text-edit.ts';

/** Returns the replacement for a placeholder in a compared text. The replacement must not be the placeholder itself. */
export type WritePlaceholder = (placeholder: Pick<Placeholder, 'name' | 'n'>) => string;

const alike: WritePlaceholder = () => MASKED;

/** An encoding. Its name stays in the compared text, because another encoding is a difference. */
interface Decoder {
  name: string;
  decode(run: string): Buffer;
}

const BASE64: Decoder = { name: 'base64', decode: decodeBase64 };
const HEX: Decoder = { name: 'hex', decode: decodeHex };

/** Maximum number of nested encodings to decode. */
const DEPTH_MAX = 3;

/**
 * Replaces all placeholders by the same text, also in base64 and hexadecimal runs, which are decoded. Two texts with
 * equal results differ in redacted values only. Text without placeholders is returned unchanged.
 */
export function equalizePlaceholders(text: string, write: WritePlaceholder = alike, depth: number = DEPTH_MAX): string {
  const plain = applyEdits(
    text,
    placeholdersIn(text).map(({ start, end, name, n }) => ({ start, end, text: write({ name, n }) })),
  );
  const runs = depth === 0 ? [] : base64Runs(plain);
  if (runs.length === 0) return plain;
  const base64 = runs.flatMap(({ start, end }) => {
    const run = plain.slice(start, end);
    const masked = maskedRun(run, BASE64, write, depth) ?? maskedSegments(run, write, depth);
    return masked === run ? [] : [{ start, end, text: masked }];
  });
  const hex = hexRuns(plain, runs).flatMap(({ start, end }) => {
    const masked = maskedRun(plain.slice(start, end), HEX, write, depth);
    return masked === undefined ? [] : [{ start, end, text: masked }];
  });
  return applyEdits(plain, [...base64, ...hex]);
}

/** Masks placeholders in each segment of a run with slashes: such a run may be a path. */
function maskedSegments(run: string, write: WritePlaceholder, depth: number): string {
  if (!run.includes('/')) return run;
  return run
    .split('/')
    .map((segment) => maskedRun(segment, BASE64, write, depth) ?? segment)
    .join('/');
}

/** Returns the decoded run with masked placeholders. Undefined if the run has no placeholder. */
function maskedRun(run: string, { name, decode }: Decoder, write: WritePlaceholder, depth: number): string | undefined {
  const bytes = decode(run);
  const inner = bytes.toString(opensAsUtf16(bytes) ? 'utf16le' : 'latin1');
  const masked = equalizePlaceholders(inner, write, depth - 1);
  return masked === inner ? undefined : `[${name} ${masked}]`;
}
