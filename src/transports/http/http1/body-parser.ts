import { ChunkedDecoder } from './chunked-decoder.ts';
import type { Framing } from './response-head.ts';

/** Finds the body of a message by its framing (RFC 9112, 6.3). */
export class BodyParser {
  /** What is left of a body with a length. */
  #left: number;
  readonly #chunks: ChunkedDecoder | undefined;

  constructor(framing: Framing) {
    this.#left = framing === 'close' ? Number.POSITIVE_INFINITY : typeof framing === 'number' ? framing : 0;
    this.#chunks = framing === 'chunks' ? new ChunkedDecoder() : undefined;
  }

  /** Whether all of it was there. What ends with its connection never is. */
  get isOver(): boolean {
    return this.#chunks === undefined ? this.#left === 0 : this.#chunks.isOver;
  }

  /** Whether something was there that is no chunk. Nothing is read any more. */
  get isInvalid(): boolean {
    return this.#chunks?.isInvalid === true;
  }

  /** What of it is in the next piece, which is the body's from now on, and how many bytes that took. */
  take(piece: Buffer): { data: Buffer; read: number } {
    if (this.#chunks !== undefined) return this.#chunks.data(piece);
    const data = piece.length > this.#left ? piece.subarray(0, this.#left) : piece;
    this.#left -= data.length;
    return { data, read: data.length };
  }
}
