import { ChunkedDecoder } from './chunked-decoder.ts';
import type { Framing } from './response-head.ts';

/** Parser of a message body by its framing (RFC 9112, 6.3). */
export class BodyParser {
  /** Remaining bytes of a body with a known length. */
  #left: number;
  readonly #chunks: ChunkedDecoder | undefined;

  constructor(framing: Framing) {
    this.#left = framing === 'close' ? Number.POSITIVE_INFINITY : typeof framing === 'number' ? framing : 0;
    this.#chunks = framing === 'chunks' ? new ChunkedDecoder() : undefined;
  }

  /** Whether the body is complete. Bodies without length or chunks end with the connection: for them it stays false. */
  get isOver(): boolean {
    return this.#chunks === undefined ? this.#left === 0 : this.#chunks.isOver;
  }

  /** Whether the chunked encoding was invalid. Parsing stops there. */
  get isInvalid(): boolean {
    return this.#chunks?.isInvalid === true;
  }

  /** Returns the body data of the next piece, and the number of bytes read. The parser takes over the piece. */
  take(piece: Buffer): { data: Buffer; read: number } {
    if (this.#chunks !== undefined) return this.#chunks.data(piece);
    const data = piece.length > this.#left ? piece.subarray(0, this.#left) : piece;
    this.#left -= data.length;
    return { data, read: data.length };
  }
}
