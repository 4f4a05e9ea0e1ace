import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { CassetteEvent, Header } from '../cassette.ts';
import { IncrementalCassetteParser } from './incremental-cassette-parser.ts';
import { cannotOpen } from './load-cassette.ts';

const PIECE_BYTES = 64 * 1024;
const LF = 0x0a;
/** Number of bytes before the read position that identify the file: if they differ, the file was replaced. */
const COMPARED_BYTES = 64;
const NOTHING: Buffer = Buffer.alloc(0);
/** Dash of the next event, which completes the previous event. */
const DASH: Buffer = Buffer.from('- ');

/**
 * Reader of a cassette that is still being recorded. Each `read` returns the new events. Only the dash of the next
 * event completes an event. If the file ends with a line break, the reader assumes that dash, and skips the real one
 * later.
 */
export class CassetteFollower {
  /** Number of times that the file was replaced or truncated. */
  replacements = 0;
  /** Number of returned events that turned out to be incomplete. The next `read` returns them again. */
  corrections = 0;
  /** Whether the last `read` stopped at its byte limit. */
  hasMore = false;
  readonly #file: string;
  #parser: IncrementalCassetteParser;
  /** Inode of the file. Replacing the file changes the inode. */
  #inode = -1;
  #position = 0;
  /** Last bytes before the read position. */
  #tail = NOTHING;
  #isDashGiven = false;
  /** Number of events completed by the assumed dash. */
  #given = 0;
  #endsLine = false;
  /** Number of already returned events, which a restart skips. */
  #known = 0;
  #returned = 0;

  constructor(file: string) {
    this.#file = file;
    this.#parser = new IncrementalCassetteParser(file);
  }

  /** Undefined: the header is incomplete. */
  get header(): Header | undefined {
    return this.#parser.header;
  }

  /** Reason for the end of the recording. Undefined: the recording continues. */
  get end(): string | undefined {
    return this.#parser.end;
  }

  /** Whether the recording has ended. */
  get isEnded(): boolean {
    return this.end !== undefined;
  }

  /**
   * Returns the new events since the last call, reading about `bytesMax` bytes. Appends them to `events`, which also
   * keeps the events before an error. A replaced or truncated file is read from its beginning.
   * @throws McpRecordError those of `loadCassette`
   */
  read(bytesMax: number = Number.POSITIVE_INFINITY, events: CassetteEvent[] = []): CassetteEvent[] {
    const handle = this.#open();
    this.hasMore = false;
    try {
      let left = bytesMax;
      for (let piece = this.#next(handle); piece.length > 0 && !this.hasMore; piece = this.#next(handle)) {
        this.#position += piece.length;
        this.#take(piece, events);
        left -= piece.length;
        this.hasMore = left <= 0;
      }
      this.#tail = this.#before(handle, this.#position);
    } finally {
      closeSync(handle);
    }
    if (this.#endsLine && !this.#isDashGiven && !this.hasMore && !this.isEnded) this.#giveDash(events);
    return events;
  }

  #open(): number {
    try {
      const handle = openSync(this.#file, 'r');
      const { ino, size } = fstatSync(handle);
      const isAnother = ino !== this.#inode || size < this.#position;
      if (isAnother || !this.#tail.equals(this.#before(handle, this.#position))) {
        if (this.#inode !== -1) this.replacements += 1;
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
    return piece.subarray(0, readSync(handle, piece, 0, PIECE_BYTES, this.#position));
  }

  /** Returns up to `COMPARED_BYTES` bytes before a position. */
  #before(handle: number, position: number): Buffer {
    const bytes = Buffer.alloc(Math.min(COMPARED_BYTES, position));
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, position - bytes.length));
  }

  #take(piece: Buffer, events: CassetteEvent[]): void {
    this.#endsLine = piece.at(-1) === LF;
    if (!this.#isDashGiven) return this.#push(piece, events);
    this.#isDashGiven = false;
    if (piece.subarray(0, DASH.length).equals(DASH)) return this.#push(piece.subarray(DASH.length), events);
    // The line break was inside an event. The event that it seemed to complete is read again.
    this.corrections += this.#given;
    this.#restart(this.#returned - this.#given);
  }

  #giveDash(events: CassetteEvent[]): void {
    this.#isDashGiven = true;
    const before = this.#returned;
    try {
      this.#push(DASH, events);
      this.#given = this.#returned - before;
    } catch {
      // The line break is inside an incomplete event.
      this.#restart(before);
    }
  }

  #restart(known: number): void {
    this.#parser = new IncrementalCassetteParser(this.#file);
    this.#position = 0;
    this.#tail = NOTHING;
    this.#isDashGiven = false;
    this.#known = known;
    this.#returned = 0;
  }

  #push(bytes: Buffer, events: CassetteEvent[]): void {
    const parsed: CassetteEvent[] = [];
    try {
      this.#parser.push(bytes, parsed);
    } finally {
      for (const event of parsed) if (++this.#returned > this.#known) events.push(event);
    }
  }
}
