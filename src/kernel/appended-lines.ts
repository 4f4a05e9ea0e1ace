import { closeSync, openSync, readSync } from 'node:fs';

const PIECE_BYTES = 64 * 1024;

/** Reads the lines of a file to which processes append. */
export class AppendedLines {
  readonly #file: string;
  #position = 0;
  /** Bytes of an incomplete last line. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the complete lines added since the last call. Throws file system errors. */
  next(): string[] {
    const written = Buffer.concat([this.#rest, ...this.#read()]);
    const end = written.lastIndexOf('\n') + 1;
    this.#rest = written.subarray(end);
    return written.subarray(0, end).toString().split('\n').filter(Boolean);
  }

  #read(): Buffer[] {
    const pieces: Buffer[] = [];
    const file = openSync(this.#file, 'r');
    try {
      for (;;) {
        const piece = Buffer.alloc(PIECE_BYTES);
        const length = readSync(file, piece, 0, PIECE_BYTES, this.#position);
        if (length === 0) return pieces;
        this.#position += length;
        pieces.push(piece.subarray(0, length));
      }
    } finally {
      closeSync(file);
    }
  }
}
