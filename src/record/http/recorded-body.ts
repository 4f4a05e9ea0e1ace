import { isUtf8 } from 'node:buffer';
import type { BodyMemory, BodyShare, CutReason } from '../../transports/http/http1/body-memory.ts';
import { HeldPieces } from '../../transports/http/http1/held-pieces.ts';

const LF = 0x0a;
const LINE_BYTES_MAX = 64 * 1024;

/** Collector of a message body. Of a body beyond the limits, only the beginning is kept. */
export class RecordedBody {
  readonly #holdBytesMax: number;
  readonly #held = new HeldPieces();
  readonly #share: BodyShare | undefined;
  #cut: CutReason | undefined;

  /** @param memory memory of all bodies of the recorder. Absent: they have no limit together. */
  constructor(holdBytesMax: number, memory?: BodyMemory) {
    this.#holdBytesMax = holdBytesMax;
    this.#share = memory?.share(() => {
      this.#cut = 'together';
      this.#held.cutTo(Math.floor(this.#held.length / 2));
      return this.#held.length;
    });
  }

  add(piece: Uint8Array): void {
    if (this.#cut !== undefined) return;
    const room = this.#holdBytesMax - this.#held.length;
    if (piece.length > room) this.#cut = 'itself';
    this.#held.add(piece.length <= room ? piece : piece.subarray(0, room));
    this.#share?.hold(this.#held.length);
  }

  /** Marks the body as too long. */
  drop(): void {
    this.#cut ??= 'itself';
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Whether part of the body was dropped. */
  get isCut(): boolean {
    return this.#cut !== undefined;
  }

  /** Why part of the body was dropped. */
  get cutReason(): CutReason | undefined {
    return this.#cut;
  }

  /** Returns the first bytes of the body. */
  beginning(length: number): Uint8Array {
    return this.#held.beginning(length);
  }

  /** Returns the body with a final newline. Undefined: it was cut, or is too long for the fast path. */
  line(): Buffer | undefined {
    if (this.isCut || this.#held.length > LINE_BYTES_MAX) return undefined;
    const line = Buffer.allocUnsafe(this.#held.length + 1);
    let at = 0;
    for (const piece of this.#held.pieces) {
      line.set(piece, at);
      at += piece.length;
    }
    line[at] = LF;
    // It is written or dropped in this turn.
    this.#share?.hold(0);
    return line;
  }

  /** Returns the collected body as text, or as bytes if it is not UTF-8, and releases the memory. */
  take(): string | Uint8Array {
    const bytes = this.#held.take();
    this.#share?.hold(0);
    return textOrBytes(bytes);
  }

  /** Releases the memory of a body that nobody reads. */
  release(): void {
    this.#held.clear();
    this.#share?.hold(0);
  }
}

/** Decodes UTF-8 bytes. Invalid UTF-8 is returned as a copy of the bytes. */
export function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString() : Uint8Array.from(bytes);
}
