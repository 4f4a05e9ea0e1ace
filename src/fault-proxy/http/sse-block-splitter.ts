import { HeldPieces } from '../../transports/http/http1/held-pieces.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Splits an event stream after each block, at the empty line that ends it. No byte is changed. */
export class SseBlockSplitter {
  readonly #block: (bytes: Uint8Array) => void;
  readonly #held = new HeldPieces();
  /** Whether the current line is empty so far. `#hasLine`: whether the block has earlier lines. */
  #isLineEmpty = true;
  #hasLine = false;
  /** Set after a CR, because an LF may follow. States whether the CR ended a line or a block. */
  #afterReturn: 'line' | 'block' | undefined;

  constructor(block: (bytes: Uint8Array) => void) {
    this.#block = block;
  }

  /** Takes the next piece. The caller must not change it afterwards. */
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
    if (start < piece.length) this.#held.add(piece.subarray(start));
    // A CR ends the block immediately: waiting for a possible LF could delay the block forever.
    if (this.#afterReturn === 'block') {
      this.#afterReturn = 'line';
      this.#cut(new Uint8Array(0));
    }
  }

  /** Number of bytes after the last complete block. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /** Returns the bytes after the last complete block. */
  rest(): Uint8Array {
    return this.#held.take();
  }

  #cut(last: Uint8Array): void {
    this.#hasLine = false;
    this.#isLineEmpty = true;
    if (this.#held.length === 0) return this.#block(last);
    this.#held.add(last);
    this.#block(this.#held.take());
  }
}

/** Finder of line breaks. It searches for each kind again only after passing its last position. */
class LineEnds {
  readonly #piece: Uint8Array;
  #lf = 0;
  #cr = 0;

  constructor(piece: Uint8Array) {
    this.#piece = piece;
  }

  /** Returns the offset of the first line break from `at` on, or the length of the piece. */
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
