import { isUtf8 } from 'node:buffer';
import { applyEdits, mergeEdits, type TextEdit } from '../replace/text-edit.ts';

/** How bytes are written as letters. */
export interface Encoding {
  decode(run: string): Buffer;
  /** In the spelling of `run`. */
  encodeLike(run: string, bytes: Buffer): string;
}

/** How to find secrets in what a run says. */
export interface Searches {
  inText(text: string): TextEdit[];
  /** Finds edits in decoded bytes, one byte per character. Absent: bytes are not searched. */
  inBytes?(bytes: string): readonly TextEdit[];
}

/** So much of a longer run is decoded first. */
const OPENING_LENGTH = 1_024;

/**
 * Returns the replacement of a run that contains a secret: the run encoded without it, or a placeholder if the whole
 * run is the secret.
 */
export function redactEncodedRun(run: string, encoding: Encoding, searches: Searches): string | undefined {
  if (searches.inBytes === undefined && opensAsBytes(run, encoding)) return undefined;
  const bytes = encoding.decode(run);
  const characters = charactersOf(bytes);
  const inner = bytes.toString(characters);
  const edits = mergeEdits(characters === 'latin1' ? (searches.inBytes?.(inner) ?? []) : searches.inText(inner));
  const [first] = edits;
  if (first === undefined) return undefined;
  if (first.start === 0 && first.end === inner.length) return first.text;
  return encoding.encodeLike(run, Buffer.from(applyEdits(inner, edits), characters));
}

/** Whether the beginning of a long run tells that it is no text: most are images, and need not be decoded. */
function opensAsBytes(run: string, { decode }: Encoding): boolean {
  if (run.length <= OPENING_LENGTH) return false;
  const opening = decode(run.slice(0, OPENING_LENGTH));
  // A character of up to four bytes may be cut off at the end.
  return [0, 1, 2, 3].every((cut) => charactersOf(opening.subarray(0, opening.length - cut)) === 'latin1');
}

/** What bytes say: text, or, as `latin1`, anything else. */
function charactersOf(bytes: Buffer): 'utf8' | 'utf16le' | 'latin1' {
  if (isUtf8(bytes) && !CONTROL.test(bytes.toString('latin1'))) return 'utf8';
  return bytes.length % 2 === 0 && opensAsUtf16(bytes) ? 'utf16le' : 'latin1';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells bytes from text; colours begin with one
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** So much tells text in UTF-16, which is what Windows encodes commands in. */
const UTF16_BYTES = 64;

/** Whether bytes begin as text in UTF-16 does, little-endian, that is ASCII for the most part. */
export function opensAsUtf16(bytes: Uint8Array): boolean {
  const opening = Buffer.from(bytes.subarray(0, UTF16_BYTES)).toString('utf16le');
  return 2 * opening.replace(/[^\t\n\r -~]/g, '').length > opening.length;
}
