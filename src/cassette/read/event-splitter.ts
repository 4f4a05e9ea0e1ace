import {
  type Bytes,
  indexOfBytes,
  joinedBytes,
  lastIndexOfBytes,
  latin1Text,
  unsetBytes,
  utf8BytesOf,
  utf8Text,
} from '../../kernel/platform/bytes.ts';
import { countBreaks, type SourceText } from './source-text.ts';

/** Lines from `events:` to the first dash. */
const EVENTS = /^events:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*/m;

const LF = 0x0a;
const DASH = 0x2d;
const NEXT_EVENT: Bytes = utf8BytesOf('\n- ');
const NOTHING: Bytes = unsetBytes(0);

/**
 * Splitter of a cassette into the header and events, from UTF-8 in pieces of any size. It splits only at `- ` at the
 * start of a line, which never occurs inside an event. It holds at most one event besides the current piece.
 */
export class EventSplitter {
  /** Text before `events:`. Undefined: that line or the first dash has not arrived. */
  header: SourceText | undefined;
  /** Line of the first event in the file. */
  firstLine = 1;
  readonly #file: string;
  /** Bytes of the incomplete event, or the bytes before the first event. */
  #pending: Bytes[] = [];
  /** Trailing line break, perhaps with a dash. Only the next piece decides whether an event ends here. */
  #held: Bytes = NOTHING;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Takes a piece of the text and returns complete events: each buffer holds one or several, from a dash to a line
   * break.
   */
  push(piece: Bytes): Bytes[] {
    const bytes = this.#held.length > 0 ? joinedBytes([this.#held, piece]) : piece;
    const known = bytes.length - heldLength(bytes);
    this.#held = bytes.subarray(known);
    return this.header === undefined ? this.#begin(bytes.subarray(0, known)) : this.#cut(bytes.subarray(0, known));
  }

  /** Returns the remaining bytes: the last event, or the whole text if it has no events. */
  rest(): Bytes {
    return joinedBytes([...this.#pending, this.#held]);
  }

  #begin(bytes: Bytes): Bytes[] {
    this.#pending.push(bytes);
    const all = this.#pending.length === 1 ? bytes : joinedBytes(this.#pending);
    // Latin-1 maps each byte to one character.
    const text = latin1Text(all, 0, HEADER_LENGTH_MAX);
    const events = EVENTS.exec(text);
    const first = events === null ? -1 : events.index + events[0].length;
    if (events === null || !text.startsWith('- ', first)) return [];
    this.header = { file: this.#file, text: utf8Text(all, 0, events.index), line: 1 };
    this.firstLine = 1 + countBreaks(text, 0, first);
    this.#pending = [];
    return this.#cut(all.subarray(first));
  }

  #cut(bytes: Bytes): Bytes[] {
    const last = lastIndexOfBytes(bytes, NEXT_EVENT);
    if (last < 0) {
      this.#pending.push(bytes);
      return [];
    }
    const runs: Bytes[] = [];
    let start = 0;
    if (this.#pending.length > 0) {
      start = indexOfBytes(bytes, NEXT_EVENT) + 1;
      runs.push(joinedBytes([...this.#pending, bytes.subarray(0, start)]));
    }
    if (start <= last) runs.push(bytes.subarray(start, last + 1));
    this.#pending = [bytes.subarray(last + 1)];
    return runs;
  }
}

/** Maximum length of a header. */
export const HEADER_LENGTH_MAX: number = 1024 * 1024;

function heldLength(bytes: Bytes): number {
  const { length } = bytes;
  if (bytes[length - 1] === LF) return 1;
  return bytes[length - 1] === DASH && bytes[length - 2] === LF ? 2 : 0;
}

/** Returns the end of the event that begins at `at`, after its line break. */
export function eventEnd(run: Bytes, at: number): number {
  const end = indexOfBytes(run, NEXT_EVENT, at);
  return end < 0 ? run.length : end + 1;
}
