import { isUtf8 } from 'node:buffer';
import { isRedacted } from '../replace/placeholder-format.ts';
import { encodedPlaceholder } from '../replace/secret-spellings.ts';
import { applyEdits, mergeEdits, type TextEdit } from '../replace/text-edit.ts';

/** Encoding of bytes as letters. */
export interface Encoding {
  decode(run: string): Buffer;
  /** Encodes bytes in the same variant as `run`. */
  encodeLike(run: string, bytes: Buffer): string;
}

/** Searches for secrets in a decoded run. */
export interface Searches {
  inText(text: string): TextEdit[];
  /** Finds edits in decoded bytes, one byte per character. Absent: bytes are not searched. */
  inBytes?(bytes: string): readonly TextEdit[];
}

/** Number of characters of a long run that are decoded first. */
const OPENING_LENGTH = 1_024;

/**
 * Returns the replacement of a run that contains a secret, or a placeholder to restore: the run encoded without it. A
 * run that is nothing but a secret becomes an encoded placeholder, because a comparison has to tell the secret from its encoding, or a plain one
 * if its name is too short.
 */
export function redactEncodedRun(run: string, encoding: Encoding, searches: Searches): string | undefined {
  if (searches.inBytes === undefined && opensAsBytes(run, encoding)) return undefined;
  const bytes = encoding.decode(run);
  const characters = charactersOf(bytes);
  const inner = bytes.toString(characters);
  const isText = characters !== 'latin1' || opensAsWideText(bytes);
  const edits = mergeEdits(isText ? searches.inText(inner) : (searches.inBytes?.(inner) ?? []));
  const [first] = edits;
  if (first === undefined) return undefined;
  const encode = (text: string) => encoding.encodeLike(run, Buffer.from(text, characters));
  const isWhole = first.start === 0 && first.end === inner.length;
  if (isWhole && isRedacted(first.text)) return encodedPlaceholder(first.text, encode);
  return encode(applyEdits(inner, edits));
}

/**
 * Reports whether a long run begins with bytes that are not text. Most such runs are images and need not be decoded.
 */
function opensAsBytes(run: string, { decode }: Encoding): boolean {
  if (run.length <= OPENING_LENGTH) return false;
  const opening = decode(run.slice(0, OPENING_LENGTH));
  if (opensAsWideText(opening)) return false;
  // The last character may be incomplete.
  return [0, 1, 2, 3].every((cut) => charactersOf(opening.subarray(0, opening.length - cut)) === 'latin1');
}

/** Returns the character encoding of bytes: of a text, or `latin1` for any other bytes. */
function charactersOf(bytes: Buffer): 'utf8' | 'utf16le' | 'latin1' {
  if (isUtf8(bytes) && !CONTROL.test(bytes.toString('latin1'))) return 'utf8';
  return bytes.length % 2 === 0 && opensAsUtf16(bytes) ? 'utf16le' : 'latin1';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells bytes from text; colours begin with one
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

/** Number of bytes that decide whether bytes are UTF-16, in which Windows encodes commands. */
const UTF16_BYTES = 64;

/**
 * Reports whether bytes begin like UTF-16 text of either byte order, or like a part of it that begins within a
 * character. The search of the bytes finds such text.
 */
function opensAsWideText(bytes: Uint8Array): boolean {
  const opening = Buffer.from(bytes.subarray(0, UTF16_BYTES)).toString('latin1');
  return 4 * (opening.match(/[\t\n\r -~]\0|\0[\t\n\r -~]/g)?.length ?? 0) > opening.length;
}

/** Reports whether bytes begin like UTF-16 text, little-endian and mostly ASCII. */
export function opensAsUtf16(bytes: Uint8Array): boolean {
  const opening = Buffer.from(bytes.subarray(0, UTF16_BYTES)).toString('utf16le');
  return 2 * opening.replace(/[^\t\n\r -~]/g, '').length > opening.length;
}
