const LF = 0x0a;
const CR = 0x0d;

/** Cuts an event stream after each of its blocks, at the empty line that ends it, and changes no byte. */
export class SseBlockSplitter {
  readonly #block: (bytes: Uint8Array) => void;
  #held: Uint8Array[] = [];
  /** The current line is empty so far, and the block has earlier lines. */
  #isLineEmpty = true;
  #hasLine = false;
  /** The last byte was a CR, whose LF may follow; it may have ended the block. */
  #afterReturn: 'line' | 'block' | undefined;

  constructor(block: (bytes: Uint8Array) => void) {
    this.#block = block;
  }

  /** Takes the next piece, which must not change afterwards. */
  write(piece: Uint8Array): void {
    let start = 0;
    const ends = new LineEnds(piece);
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      const after = this.#afterReturn;
      this.#afterReturn = undefined;
      if (after === 'block') {
        const end = byte === LF ? at + 1 : at;
        this.#cut(piece.subarray(start, end));
        start = end;
      }
      if (after !== undefined && byte === LF) continue;
      if (byte !== LF && byte !== CR) {
        this.#isLineEmpty = false;
        at = ends.from(at) - 1;
        continue;
      }
      const endsBlock = this.#isLineEmpty && this.#hasLine;
      this.#hasLine ||= !this.#isLineEmpty;
      this.#isLineEmpty = true;
      if (byte === CR) this.#afterReturn = endsBlock ? 'block' : 'line';
      else if (endsBlock) {
        const isWhole = start === 0 && at + 1 === piece.length;
        this.#cut(isWhole ? piece : piece.subarray(start, at + 1));
        start = at + 1;
      }
    }
    if (start < piece.length) this.#held.push(piece.subarray(start));
    // A block that CR has ended is not held back for the LF that may never come.
    if (this.#afterReturn === 'block') {
      this.#afterReturn = 'line';
      this.#cut(new Uint8Array(0));
    }
  }

  /** What no empty line has ended. */
  rest(): Uint8Array {
    return Buffer.concat(this.#held.splice(0));
  }

  #cut(last: Uint8Array): void {
    this.#hasLine = false;
    this.#isLineEmpty = true;
    this.#block(this.#held.length === 0 ? last : Buffer.concat([...this.#held.splice(0), last]));
  }
}

/** Finds where lines end, and looks for each kind of end again only once it was passed. */
class LineEnds {
  readonly #piece: Uint8Array;
  #lf = 0;
  #cr = 0;

  constructor(piece: Uint8Array) {
    this.#piece = piece;
  }

  /** The first byte from `at` on that ends a line; there is none: the length. */
  from(at: number): number {
    if (this.#lf <= at) this.#lf = this.#find(LF, at);
    if (this.#cr <= at) this.#cr = this.#find(CR, at);
    return Math.min(this.#lf, this.#cr);
  }

  #find(byte: number, at: number): number {
    const found = this.#piece.indexOf(byte, at);
    return found < 0 ? this.#piece.length : found;
  }
}
