const LF = 0x0a;
const CR = 0x0d;
const SEMICOLON = 0x3b;
const SPACE = 0x20;
const TAB = 0x09;

/** Maximum number of digits of a chunk size. Larger chunks do not occur. */
const DIGITS_MAX = 13;

/** Maximum length of extensions and trailers, per chunk. */
const BESIDE_BYTES_MAX = 16 * 1024;

/** Part of the encoding that the next byte belongs to. A line break takes two phases. */
type Phase =
  | 'size'
  | 'beside'
  | 'sizeEnd'
  | 'data'
  | 'dataEnd'
  | 'lineEnd'
  | 'trailer'
  | 'inTrailer'
  | 'trailerEnd'
  | 'last'
  | 'over';

/** Decoder of a chunked body (RFC 9112, 7.1). It skips extensions and trailers. */
export class ChunkedDecoder {
  #phase: Phase = 'size';
  #size = 0;
  #digits = 0;
  #beside = 0;
  #isInvalid = false;

  /** Whether the body is complete. */
  get isOver(): boolean {
    return this.#phase === 'over';
  }

  /** Whether the chunked encoding was invalid. Parsing stops there. */
  get isInvalid(): boolean {
    return this.#isInvalid;
  }

  /**
   * Returns the data of the next piece in one buffer. The decoder takes over the piece and moves the data within it.
   */
  data(piece: Buffer): { data: Buffer; read: number } {
    let start = -1;
    let end = 0;
    let at = 0;
    while (at < piece.length && !this.#isInvalid && this.#phase !== 'over') {
      if (this.#phase !== 'data') {
        this.#step(piece[at++]!);
        continue;
      }
      const upTo = Math.min(piece.length, at + this.#size);
      if (start < 0) start = end = at;
      else piece.copyWithin(end, at, upTo);
      end += upTo - at;
      this.#size -= upTo - at;
      at = upTo;
      if (this.#size === 0) this.#phase = 'dataEnd';
    }
    return { data: piece.subarray(Math.max(start, 0), end), read: at };
  }

  #step(byte: number): void {
    switch (this.#phase) {
      case 'size':
        return this.#readSize(byte);
      case 'beside':
        if (byte === CR) this.#phase = 'sizeEnd';
        else this.#passOver(byte, 'beside');
        return;
      case 'sizeEnd':
        this.#beside = 0;
        return this.#expect(byte, LF, this.#size === 0 ? 'trailer' : 'data');
      case 'dataEnd':
        return this.#expect(byte, CR, 'lineEnd');
      case 'lineEnd':
        this.#digits = 0;
        return this.#expect(byte, LF, 'size');
      case 'trailer':
        if (byte === CR) this.#phase = 'last';
        else this.#passOver(byte, 'inTrailer');
        return;
      case 'inTrailer':
        if (byte === CR) this.#phase = 'trailerEnd';
        else this.#passOver(byte, 'inTrailer');
        return;
      case 'trailerEnd':
        return this.#expect(byte, LF, 'trailer');
      default:
        this.#expect(byte, LF, 'over');
    }
  }

  #readSize(byte: number): void {
    const digit = digitOf(byte);
    if (digit >= 0 && this.#digits < DIGITS_MAX) {
      this.#size = this.#size * 16 + digit;
      this.#digits++;
    } else if (this.#digits === 0 || digit >= 0) this.#isInvalid = true;
    else if (byte === CR) this.#phase = 'sizeEnd';
    else if (byte === SEMICOLON || byte === SPACE || byte === TAB) this.#phase = 'beside';
    else this.#isInvalid = true;
  }

  #passOver(byte: number, phase: Phase): void {
    this.#phase = phase;
    if (++this.#beside > BESIDE_BYTES_MAX || byte === LF) this.#isInvalid = true;
  }

  #expect(byte: number, expected: number, next: Phase): void {
    if (byte === expected) this.#phase = next;
    else this.#isInvalid = true;
  }
}

/** Returns the value of a hexadecimal digit, or -1. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
