import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { CassetteEvent } from '../cassette.ts';
import { CassetteParser } from './cassette-parser.ts';
import { cannotOpen } from './load-cassette.ts';

const PIECE_BYTES = 64 * 1024;
const LF = 0x0a;
/** Beginning of every event. */
const DASH: Buffer = Buffer.from('- ');

/**
 * Reader of a cassette that is still being recorded. Each `read` returns the new events.
 * Only the dash of the next event completes an event. If the file ends with a line break, the reader assumes that dash, and skips the real one later.
 */
export class CassetteFollower {
  readonly #file: string;
  #parser: CassetteParser;
  /** Inode of the file. A replacement with the same name has another inode. */
  #inode = -1;
  #position = 0;
  #isDashGiven = false;
  #endsLine = false;
  /** Number of already returned events, which a restart skips. */
  #known = 0;
  #returned = 0;

  constructor(file: string) {
    this.#file = file;
    this.#parser = new CassetteParser(file);
  }

  /** Whether the recording has ended. */
  get isEnded(): boolean {
    return this.#parser.end !== undefined;
  }

  /**
   * Returns the new events since the last call. If the file was replaced or truncated, reading restarts from its beginning.
   * @throws McpRecordError as `loadCassette`
   */
  read(): CassetteEvent[] {
    const events: CassetteEvent[] = [];
    const handle = this.#open();
    try {
      for (let piece = this.#next(handle); piece.length > 0; piece = this.#next(handle)) this.#take(piece, events);
    } finally {
      closeSync(handle);
    }
    if (this.#endsLine && !this.#isDashGiven && !this.isEnded) this.#giveDash(events);
    return events;
  }

  #open(): number {
    try {
      const handle = openSync(this.#file, 'r');
      const { ino, size } = fstatSync(handle);
      if (ino !== this.#inode || size < this.#position) {
        this.#restart(0);
        this.#inode = ino;
      }
      return handle;
    } catch (error) {
      throw cannotOpen(this.#file, error);
    }
  }

  #next(handle: number): Buffer {
    const piece = Buffer.alloc(PIECE_BYTES);
    const length = readSync(handle, piece, 0, PIECE_BYTES, this.#position);
    this.#position += length;
    return piece.subarray(0, length);
  }

  #take(piece: Buffer, events: CassetteEvent[]): void {
    this.#endsLine = piece.at(-1) === LF;
    if (!this.#isDashGiven) return this.#push(piece, events);
    this.#isDashGiven = false;
    if (piece.subarray(0, DASH.length).equals(DASH)) return this.#push(piece.subarray(DASH.length), events);
    // The line break was inside an event: the prematurely ended event is read again.
    this.#restart(this.#returned);
  }

  #giveDash(events: CassetteEvent[]): void {
    this.#isDashGiven = true;
    try {
      this.#push(DASH, events);
    } catch {
      // The line break is inside an event that is still being written.
      this.#restart(this.#returned);
    }
  }

  #restart(known: number): void {
    this.#parser = new CassetteParser(this.#file);
    this.#position = 0;
    this.#isDashGiven = false;
    this.#known = known;
    this.#returned = 0;
  }

  #push(bytes: Buffer, events: CassetteEvent[]): void {
    for (const event of this.#parser.push(bytes)) if (++this.#returned > this.#known) events.push(event);
  }
}
