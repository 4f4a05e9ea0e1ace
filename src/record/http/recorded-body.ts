import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
const LINE_BYTES_MAX = 64 * 1024;

/** Collector of a message body. Of a body beyond the limit, only the beginning is kept. */
export class RecordedBody {
  readonly #holdBytesMax: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(holdBytesMax: number) {
    this.#holdBytesMax = holdBytesMax;
  }

  add(piece: Uint8Array): void {
    const room = this.#holdBytesMax - this.#bytes;
    const kept = piece.length <= room ? piece : piece.subarray(0, room);
    if (kept.length < piece.length) this.#isCut = true;
    this.#bytes += kept.length;
    if (kept.length > 0) this.#pieces.push(kept);
  }

  /** Marks the body as too long. */
  drop(): void {
    this.#isCut = true;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Whether part of the body was dropped. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Returns the first bytes of the body. */
  beginning(length: number): Uint8Array {
    const [first = new Uint8Array()] = this.#pieces;
    return first.length >= length
      ? first.subarray(0, length)
      : Buffer.concat(this.#pieces.slice(0, length)).subarray(0, length);
  }

  /** Returns the body with a final newline. Undefined: it was cut, or is too long for the fast path. */
  line(): Buffer | undefined {
    if (this.#isCut || this.#bytes > LINE_BYTES_MAX) return undefined;
    const line = Buffer.allocUnsafe(this.#bytes + 1);
    let at = 0;
    for (const piece of this.#pieces) {
      line.set(piece, at);
      at += piece.length;
    }
    line[at] = LF;
    return line;
  }

  /** Returns the collected body as text, or as bytes if it is not UTF-8, and releases the memory. */
  take(): string | Uint8Array {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    return textOrBytes(bytes);
  }
}

/** Decodes UTF-8 bytes. Invalid UTF-8 is returned as a copy of the bytes. */
export function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString() : Uint8Array.from(bytes);
}
