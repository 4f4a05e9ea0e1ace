import { isUtf8 } from 'node:buffer';
import { firstWhere } from '../../kernel/queue-and-binary-search.ts';
import { normalizeBreaks } from './source-text.ts';

/** Piece of text as UTF-8, and whether invalid bytes follow it. */
export interface Decoded {
  bytes: Buffer;
  isInvalid: boolean;
}

const CR = 0x0d;
const NOTHING: Buffer = Buffer.alloc(0);
const BYTE_ORDER_MARK: Buffer = Buffer.from('\ufeff');

/**
 * Normalizer of UTF-8 in pieces of any size: complete characters, no byte order mark, and LF for every line break.
 * Nearly all pieces have this form and pass uncopied.
 */
export class Utf8Normalizer {
  /** Trailing CR, or the beginning of a character. */
  #held: Buffer = NOTHING;
  #isFirst = true;

  push(bytes: Uint8Array): Decoded {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : view(bytes);
    const whole = all.subarray(0, all.length - unfinishedLength(all));
    const isInvalid = !isUtf8(whole);
    const text = isInvalid ? validPrefix(whole) : whole;
    const hasReturn = text[text.length - 1] === CR;
    this.#held = hasReturn ? all.subarray(text.length - 1) : all.subarray(whole.length);
    return { bytes: this.#tidied(hasReturn ? text.subarray(0, -1) : text), isInvalid };
  }

  /** Ends the text. Returns a line break for a trailing CR. Invalid: the last character is incomplete. */
  end(): Decoded {
    const isReturn = this.#held[0] === CR;
    return { bytes: isReturn ? LINE_BREAK : NOTHING, isInvalid: this.#held.length > Number(isReturn) };
  }

  #tidied(text: Buffer): Buffer {
    let tidy = text;
    if (this.#isFirst && tidy.length > 0) {
      if (tidy.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
        tidy = tidy.subarray(BYTE_ORDER_MARK.length);
      this.#isFirst = false;
    }
    return tidy.includes(CR) ? Buffer.from(normalizeBreaks(tidy.toString())) : tidy;
  }
}

const LINE_BREAK: Buffer = Buffer.from('\n');

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the number of trailing bytes that begin an incomplete character: 0 to 3. */
function unfinishedLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** Returns the bytes before the first invalid byte. */
function validPrefix(bytes: Buffer): Buffer {
  const isValid = (end: number) => {
    const prefix = bytes.subarray(0, end);
    return isUtf8(prefix.subarray(0, end - unfinishedLength(prefix)));
  };
  const prefix = bytes.subarray(
    0,
    firstWhere(bytes.length, (at) => !isValid(at + 1)),
  );
  return prefix.subarray(0, prefix.length - unfinishedLength(prefix));
}
