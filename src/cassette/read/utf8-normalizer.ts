import {
  type Bytes,
  bytesIn,
  isUtf8,
  joinedBytes,
  unsetBytes,
  utf8BytesOf,
  utf8Text,
} from '../../kernel/platform/bytes.ts';
import { firstWhere } from '../../kernel/queue-and-binary-search.ts';
import { normalizeBreaks } from './source-text.ts';

/** Piece of text as UTF-8, and whether invalid bytes follow it. */
export interface Decoded {
  bytes: Bytes;
  isInvalid: boolean;
}

const CR = 0x0d;
const NOTHING: Bytes = unsetBytes(0);
const BYTE_ORDER_MARK: Bytes = utf8BytesOf('\ufeff');

/**
 * Normalizer of UTF-8 in pieces of any size: complete characters, no byte order mark, and LF for every line break.
 * Nearly all pieces have this form and pass uncopied.
 */
export class Utf8Normalizer {
  /** Trailing CR, or the beginning of a character. */
  #held: Bytes = NOTHING;
  #isFirst = true;

  push(bytes: Uint8Array): Decoded {
    const all = this.#held.length > 0 ? joinedBytes([this.#held, bytes]) : bytesIn(bytes);
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

  #tidied(text: Bytes): Bytes {
    let tidy = text;
    if (this.#isFirst && tidy.length > 0) {
      if (BYTE_ORDER_MARK.every((byte, index) => tidy[index] === byte)) tidy = tidy.subarray(BYTE_ORDER_MARK.length);
      this.#isFirst = false;
    }
    return tidy.includes(CR) ? utf8BytesOf(normalizeBreaks(utf8Text(tidy))) : tidy;
  }
}

const LINE_BREAK: Bytes = utf8BytesOf('\n');

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
function validPrefix(bytes: Bytes): Bytes {
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
