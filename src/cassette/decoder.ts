import { isAscii, isUtf8 } from 'node:buffer';
import { normalizeBreaks } from './source.ts';

/** A piece of text, and whether bytes follow it that are no text. */
export interface Decoded {
  text: string;
  isInvalid: boolean;
}

/** Makes text of bytes that come in pieces: UTF-8 without its byte order mark, every line break an LF. */
export class Decoder {
  #held: Buffer = Buffer.alloc(0);
  #heldReturn = '';
  #isFirst = true;

  push(bytes: Uint8Array): Decoded {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : view(bytes);
    const whole = all.subarray(0, all.length - unfinishedLength(all));
    this.#held = all.subarray(whole.length);
    // What is ASCII needs no decoding, which takes several times as long as a copy.
    if (isAscii(whole)) return { text: this.#text(whole.toString('latin1')), isInvalid: false };
    const isInvalid = !isUtf8(whole);
    return { text: this.#text(isInvalid ? validPrefix(whole) : whole.toString('utf8')), isInvalid };
  }

  /** What was held back: a CR at the very end. Invalid: the last character is not whole. */
  end(): Decoded {
    return { text: normalizeBreaks(this.#heldReturn), isInvalid: this.#held.length > 0 };
  }

  #text(decoded: string): string {
    let text = this.#heldReturn + decoded;
    if (this.#isFirst && text.length > 0) {
      if (text.startsWith('\ufeff')) text = text.slice(1);
      this.#isFirst = false;
    }
    this.#heldReturn = text.endsWith('\r') ? '\r' : '';
    return normalizeBreaks(this.#heldReturn ? text.slice(0, -1) : text);
  }
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** How many bytes at the end are the beginning of a character: 0 to 3. */
function unfinishedLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** The text before the first byte that is no UTF-8. */
function validPrefix(bytes: Buffer): string {
  let low = 0;
  let high = bytes.length;
  const isValid = (end: number) => {
    const prefix = bytes.subarray(0, end);
    return isUtf8(prefix.subarray(0, end - unfinishedLength(prefix)));
  };
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isValid(middle)) low = middle;
    else high = middle - 1;
  }
  const prefix = bytes.subarray(0, low);
  return prefix.toString('utf8', 0, low - unfinishedLength(prefix));
}
