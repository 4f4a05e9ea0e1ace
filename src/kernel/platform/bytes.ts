import { isAscii, isUtf8 } from 'node:buffer';

/**
 * Bytes of texts. Node has a fast class for them; `bytes-in-browser.ts` has the same functions for a browser, and
 * test/kernel/platform/bytes.test.ts holds both equal.
 */
export type Bytes = Buffer;

export { isAscii, isUtf8 };

/** Returns a text as UTF-8. */
export function utf8BytesOf(text: string): Bytes {
  return Buffer.from(text);
}

/** Converts bytes to the type `Bytes` without copying. */
export function bytesIn(bytes: Uint8Array): Bytes {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Allocates bytes with arbitrary contents. */
export function unsetBytes(length: number): Bytes {
  return Buffer.allocUnsafe(length);
}

export function joinedBytes(parts: readonly Uint8Array[]): Bytes {
  return Buffer.concat(parts);
}

/** Returns the text of UTF-8. Invalid bytes become U+FFFD. */
export function utf8Text(bytes: Bytes, start = 0, end: number = bytes.length): string {
  return bytes.toString('utf8', start, end);
}

/** Returns a text with one character for each byte. */
export function latin1Text(bytes: Bytes, start = 0, end: number = bytes.length): string {
  return bytes.toString('latin1', start, end);
}

/** Returns the number of bytes of a text as UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

/** Writes a text as UTF-8 at offset `at`. The text must fit. Returns the number of bytes written. */
export function writeUtf8(bytes: Bytes, text: string, at: number): number {
  return bytes.write(text, at);
}

/** Returns the offset of the first `part` from `start` on. -1: there is none. */
export function indexOfBytes(bytes: Bytes, part: Bytes, start = 0): number {
  return bytes.indexOf(part, start);
}

export function lastIndexOfBytes(bytes: Bytes, part: Bytes): number {
  return bytes.lastIndexOf(part);
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Returns the bytes of base64, as far as the text is base64. */
export function bytesOfBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
