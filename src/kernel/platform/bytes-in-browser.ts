/** Browser version of `bytes.ts`, where the functions are documented. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
/** A byte order mark is a character: the cassette reader removes it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

const ASCII_MAX = 0x7f;
/** Maximum length of a text created in one call, in which each byte becomes an argument. */
const ARGUMENTS_MAX = 8192;
/** Minimum text length for which the decoder outperforms a loop. */
const DECODED_LENGTH_MIN = 24;

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= ASCII_MAX);
}

export function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export function utf8BytesOf(text: string): Bytes {
  return encoder.encode(text);
}

export function bytesIn(bytes: Bytes): Bytes {
  return bytes;
}

export function unsetBytes(length: number): Bytes {
  return new Uint8Array(length);
}

export function joinedBytes(parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function utf8Text(bytes: Bytes, start = 0, end: number = bytes.length): string {
  return decoder.decode(bytes.subarray(start, end));
}

export function latin1Text(bytes: Bytes, start = 0, end: number = bytes.length): string {
  const stop = Math.min(end, bytes.length);
  if (stop - start < DECODED_LENGTH_MIN) {
    let text = '';
    for (let at = start; at < stop; at++) text += String.fromCharCode(bytes[at]!);
    return text;
  }
  const part = bytes.subarray(start, stop);
  // Browsers decode `latin1` as windows-1252, in which some bytes are other characters.
  if (isAscii(part)) return decoder.decode(part);
  let text = '';
  for (let at = 0; at < part.length; at += ARGUMENTS_MAX)
    text += String.fromCharCode(...part.subarray(at, at + ARGUMENTS_MAX));
  return text;
}

export function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!;
    if (code > ONE_UNIT_MAX) at++;
    length += code <= ASCII_MAX ? 1 : code <= 0x7ff ? 2 : code <= ONE_UNIT_MAX ? 3 : 4;
  }
  return length;
}

/** Last code point that needs one UTF-16 code unit. */
const ONE_UNIT_MAX = 0xffff;

export function writeUtf8(bytes: Bytes, text: string, at: number): number {
  return encoder.encodeInto(text, bytes.subarray(at)).written;
}

export function indexOfBytes(bytes: Bytes, part: Bytes, start = 0): number {
  for (let at = bytes.indexOf(part[0]!, start); at >= 0; at = bytes.indexOf(part[0]!, at + 1))
    if (isPartAt(bytes, part, at)) return at;
  return -1;
}

export function lastIndexOfBytes(bytes: Bytes, part: Bytes): number {
  for (let at = bytes.lastIndexOf(part[0]!); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(part[0]!, at - 1))
    if (isPartAt(bytes, part, at)) return at;
  return -1;
}

function isPartAt(bytes: Bytes, part: Bytes, at: number): boolean {
  return part.every((byte, index) => bytes[at + index] === byte);
}

export function base64Of(bytes: Uint8Array): string {
  return btoa(latin1Text(new Uint8Array(bytes)));
}

export function bytesOfBase64(text: string): Uint8Array {
  // Like Node, accepts both base64 alphabets and ignores everything after the first `=`.
  const [letters = ''] = text.replaceAll('-', '+').replaceAll('_', '/').split('=');
  const known = letters.replaceAll(/[^A-Za-z0-9+/]/g, '');
  // A single trailing letter encodes less than a byte.
  const whole = known.length % 4 === 1 ? known.slice(0, -1) : known;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}
