import { utf8BytesOf } from '../../../kernel/platform/bytes.ts';
import type { JsonBytes } from './json-buffer.ts';

/** Position of a literal block's `|`, and the column of its key or dash. */
export interface LiteralSpot {
  /** UTF-8, with a line break after its end. */
  bytes: Uint8Array;
  length: number;
  at: number;
  column: number;
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const DASH = 0x2d;
const TWO = 0x32;
const BACKSLASH = 0x5c;
const ASCII_MAX = 0x7f;

/** Maximum length in JSON of a byte that is not a control character. */
const JSON_BYTES_MAX = 2;

/** Table of ASCII bytes that need no escape in a JSON string. */
const STANDS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= SPACE && byte <= ASCII_MAX && byte !== QUOTE && byte !== BACKSLASH),
);

/**
 * Appends the literal block at `spot` to `json` as a string. Returns the offset of the next line. -1: the cassette
 * writer would not write this block. In an accepted block, each line is empty or has the block's indentation, and no
 * line ends with a blank. The next line is not indented more than the key or dash, because readers disagree about such
 * comments. It is not blank, because blank lines would belong to the block.
 */
export function readLiteral(spot: LiteralSpot, json: JsonBytes): number {
  const { bytes, length, at, column } = spot;
  let line = at + 1;
  const hasIndicator = bytes[line] === TWO;
  if (hasIndicator) line++;
  const keepsBreak = bytes[line] !== DASH;
  if (!keepsBreak) line++;
  if (bytes[line++] !== LF) return -1;

  let isEmpty = true;
  let breaks = 0;
  json.byte(QUOTE);
  json.reserve(JSON_BYTES_MAX * (length - line));
  while (line < length) {
    const text = indented(bytes, line, column + 2);
    if (bytes[text] === LF) {
      if (text > line && text < line + column + 2) break;
      breaks++;
      line = text + 1;
      continue;
    }
    if (text < line + column + 2) break;
    if (isEmpty && !hasIndicator && isBlank(bytes[text])) return -1;
    for (; breaks > 0; breaks--) lineBreak(json);
    const end = readLine(spot, text, json);
    if (end < 0) return -1;
    isEmpty = false;
    breaks = 1;
    line = end + 1;
  }
  if (isEmpty || isAmbiguous(bytes, line, { length, column })) return -1;
  if (keepsBreak) lineBreak(json);
  json.byte(QUOTE);
  return Math.min(line, length);
}

/** Returns the offset after at most `count` spaces at `line`. */
function indented(bytes: Uint8Array, line: number, count: number): number {
  let at = line;
  while (at < line + count && bytes[at] === SPACE) at++;
  return at;
}

/**
 * Appends the rest of a line to `json`. Returns the offset of its line break. `json` has reserved space for all
 * characters except control characters.
 */
function readLine({ bytes, length }: LiteralSpot, start: number, json: JsonBytes): number {
  let out = json.bytes;
  let to = json.length;
  let at = start;
  for (;;) {
    let byte = bytes[at]!;
    while (STANDS[byte] === 1) {
      out[to++] = byte;
      byte = bytes[++at]!;
    }
    if (byte === LF) break;
    if (byte === CR) return -1;
    if (byte === QUOTE || byte === BACKSLASH) {
      out[to++] = BACKSLASH;
      out[to++] = byte;
    } else if (byte > ASCII_MAX) {
      json.beyondAscii();
      out[to++] = byte;
    } else {
      const escaped = ESCAPES[byte]!;
      json.length = to;
      json.reserve(escaped.length + JSON_BYTES_MAX * (length - at));
      json.ascii(escaped, 0, escaped.length);
      out = json.bytes;
      to = json.length;
    }
    at++;
  }
  json.length = to;
  return isBlank(bytes[at - 1]) ? -1 : at;
}

const ESCAPES: readonly Uint8Array[] = Array.from({ length: SPACE }, (_, byte) =>
  utf8BytesOf(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)),
);

function lineBreak(json: JsonBytes): void {
  json.byte(BACKSLASH);
  json.byte(LETTER_N);
}

const LETTER_N = 0x6e;

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}

function isAmbiguous(bytes: Uint8Array, line: number, { length, column }: { length: number; column: number }): boolean {
  if (line >= length) return false;
  if (indented(bytes, line, column + 1) === line + column + 1) return true;
  let at = line;
  while (at < length && isBlank(bytes[at])) at++;
  return bytes[at] === LF;
}
