import { closeSync, openSync, readSync } from 'node:fs';
import type { Side } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { Finding } from '../../replay/findings/finding.ts';

/** A line of the file: a message, something found, a fault that happened, or a process that starts or ends. */
export interface Told {
  pid: number;
  state?: 'started' | 'ended';
  kind?: Finding['kind'];
  text?: string;
  varies?: string;
  fired?: Fired;
  /** Of which rules, counted from 1, it is one. */
  set?: number;
  from?: Side;
  message?: unknown;
}

const PIECE_BYTES = 64 * 1024;

/** What processes tell in a file to which they append a line of JSON each time, as it stands there now. */
export class FindingsReader {
  readonly #file: string;
  #position = 0;
  /** The beginning of a line whose end is not written yet. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
  }

  /** The lines that are new since the last call. */
  next(): Told[] {
    const written = Buffer.concat([this.#rest, ...this.#read()]);
    const end = written.lastIndexOf('\n') + 1;
    this.#rest = written.subarray(end);
    const lines = written.subarray(0, end).toString().split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Told);
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
