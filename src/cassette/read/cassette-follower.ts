import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { CassetteEvent, Header } from '../cassette.ts';
import { CassetteParser } from './cassette-parser.ts';
import { cannotOpen } from './load-cassette.ts';

const PIECE_BYTES = 64 * 1024;
const LF = 0x0a;
/** Bytes that are compared to tell whether the file is still the one that was read. */
const COMPARED_BYTES = 64;
const NOTHING: Buffer = Buffer.alloc(0);
/** What the next event will begin with. */
const DASH: Buffer = Buffer.from('- ');

/**
 * Reader of a cassette that is still being recorded. Each `read` returns the new events.
 * Only the dash of the next event completes an event. If the file ends with a line break, the reader assumes that dash, and skips the real one later.
 */
export class CassetteFollower {
  /** How often another file had taken the place of this one, or this one was cut. */
  replacements = 0;
  /** How often the last event that was returned had not been written whole. The next `read` returned it again. */
  corrections = 0;
  /** Whether the last `read` left something, as it was to read only so much. */
  hasMore = false;
  readonly #file: string;
  #parser: CassetteParser;
  /** Inode of the file. A replacement with the same name has another inode. */
  #inode = -1;
  #position = 0;
  /** The last bytes that were read. */
  #tail = NOTHING;
  #isDashGiven = false;
  /** How many events came from the dash that was given. */
  #given = 0;
  #endsLine = false;
  /** Number of already returned events, which a restart skips. */
  #known = 0;
  #returned = 0;

  constructor(file: string) {
    this.#file = file;
    this.#parser = new CassetteParser(file);
  }

  /** Undefined: not all of it has been read. */
  get header(): Header | undefined {
    return this.#parser.header;
  }

  /** Why the recording has ended. Undefined: it has not. */
  get end(): string | undefined {
    return this.#parser.end;
  }

  /** Whether the recording has ended. */
  get isEnded(): boolean {
    return this.end !== undefined;
  }

  /**
   * Returns the events that are new since the last call, or those in the next `bytesMax` bytes, about. They are added to `events`,
   * which has those before the error where one is thrown. Another file in the place of this one, or one that was cut, is read from
   * its beginning.
   * @throws McpRecordError as `loadCassette`
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

  /** The bytes before a position, a few. */
  #before(handle: number, position: number): Buffer {
    const bytes = Buffer.alloc(Math.min(COMPARED_BYTES, position));
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, position - bytes.length));
  }

  #take(piece: Buffer, events: CassetteEvent[]): void {
    this.#endsLine = piece.at(-1) === LF;
    if (!this.#isDashGiven) return this.#push(piece, events);
    this.#isDashGiven = false;
    if (piece.subarray(0, DASH.length).equals(DASH)) return this.#push(piece.subarray(DASH.length), events);
    // The line break was one within an event: what was taken for its end is read again.
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
      // The line break is one within an event, whose rest has not been written.
      this.#restart(before);
    }
  }

  #restart(known: number): void {
    this.#parser = new CassetteParser(this.#file);
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
