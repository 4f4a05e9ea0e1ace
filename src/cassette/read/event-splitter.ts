import { countBreaks, type SourceText } from './source-text.ts';

/** The lines from `events:` up to the first dash. */
const EVENTS = /^events:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*/m;

const LF = 0x0a;
const DASH = 0x2d;
const NEXT_EVENT: Buffer = Buffer.from('\n- ');
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Cuts a cassette, which may come in pieces of UTF-8, into the header and the events: only at `- ` at the start of a
 * line, which nothing inside an event can be. Holds one event at most, beside the piece that it was given.
 */
export class EventSplitter {
  /** What stands before `events:`. Undefined: that line and the first dash have not come yet. */
  header: SourceText | undefined;
  /** On which line of the file the first event begins. */
  firstLine = 1;
  readonly #file: string;
  /** Text of the incomplete event, or the text before the first one. */
  #pending: Buffer[] = [];
  /** A line break, or one and a dash: whether an event ends here is for the next piece to say. */
  #held: Buffer = NOTHING;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Takes a piece of the text and returns complete events: each buffer holds one or several, from a dash to a line
   * break.
   */
  push(piece: Buffer): Buffer[] {
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, piece]) : piece;
    const known = bytes.length - heldLength(bytes);
    this.#held = bytes.subarray(known);
    return this.header === undefined ? this.#begin(bytes.subarray(0, known)) : this.#cut(bytes.subarray(0, known));
  }

  /** Returns the rest: the last event, or the whole text if it has no events. */
  rest(): Buffer {
    return Buffer.concat([...this.#pending, this.#held]);
  }

  #begin(bytes: Buffer): Buffer[] {
    this.#pending.push(bytes);
    const all = this.#pending.length === 1 ? bytes : Buffer.concat(this.#pending);
    // One character is one byte, whichever.
    const text = all.toString('latin1', 0, HEADER_LENGTH_MAX);
    const events = EVENTS.exec(text);
    const first = events === null ? -1 : events.index + events[0].length;
    if (events === null || !text.startsWith('- ', first)) return [];
    this.header = { file: this.#file, text: all.toString('utf8', 0, events.index), line: 1 };
    this.firstLine = 1 + countBreaks(text, 0, first);
    this.#pending = [];
    return this.#cut(all.subarray(first));
  }

  #cut(bytes: Buffer): Buffer[] {
    const last = bytes.lastIndexOf(NEXT_EVENT);
    if (last < 0) {
      this.#pending.push(bytes);
      return [];
    }
    const runs: Buffer[] = [];
    let start = 0;
    if (this.#pending.length > 0) {
      start = bytes.indexOf(NEXT_EVENT) + 1;
      runs.push(Buffer.concat([...this.#pending, bytes.subarray(0, start)]));
    }
    if (start <= last) runs.push(bytes.subarray(start, last + 1));
    this.#pending = [bytes.subarray(last + 1)];
    return runs;
  }
}

/** No header is longer. */
export const HEADER_LENGTH_MAX: number = 1024 * 1024;

function heldLength(bytes: Buffer): number {
  const { length } = bytes;
  if (bytes[length - 1] === LF) return 1;
  return bytes[length - 1] === DASH && bytes[length - 2] === LF ? 2 : 0;
}

/** Where the event that begins at `at` ends: behind a line break. */
export function eventEnd(run: Buffer, at: number): number {
  const end = run.indexOf(NEXT_EVENT, at);
  return end < 0 ? run.length : end + 1;
}
