import { isAscii, isUtf8 } from 'node:buffer';
import type { LineFrame, OutputStream, Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';

/** Receiver of a line too long to be held in memory: opened, then its bytes in order, then closed. */
export interface LongLine {
  open(at: Milliseconds): void;
  /** Takes bytes of the line. They may be split inside a character, and are valid only during the call. */
  piece(data: Uint8Array): void;
  close(options: { at: Milliseconds; partial: boolean }): void;
}

export interface LineDecoderOptions {
  from: Side;
  on: OutputStream;
  /** Takes a complete line, without its newline: text, or bytes if it is not UTF-8. */
  line(frame: LineFrame): void;
  /**
   * Offered each complete or short line. It begins at `start` of `bytes` and ends with a newline. Takes the line and
   * any number of lines after it, and returns the offset of the last newline. -1: the line is passed to `line`.
   */
  plain?(bytes: Uint8Array, start: number, at: Milliseconds): number;
  /** Takes lines longer than `holdBytesMax`. Absent: every line is held, regardless of its length. */
  long?: LongLine;
  holdBytesMax?: number | undefined;
}

const NEWLINE = 0x0a;

/** Maximum length of lines that are held in memory until they are complete. */
export const HOLD_BYTES_MAX: number = 4 * 1024 * 1024;

/** Maximum length of a split line that is handled like a complete one. It equals the size of one read. */
const REJOINED_BYTES_MAX = 64 * 1024;

/**
 * Decoder that splits a byte stream at newlines (stdio framing, all revisions: one message per line; U+2028 does not
 * split, and a trailing carriage return stays). Pieces may be split at any byte.
 */
export class LineDecoder {
  readonly #options: LineDecoderOptions;
  readonly #holdMax: number;
  /** Beginning of an incomplete line. Joined once, at its end. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #long = false;

  constructor(options: LineDecoderOptions) {
    this.#options = options;
    this.#holdMax = options.long ? (options.holdBytesMax ?? HOLD_BYTES_MAX) : Number.POSITIVE_INFINITY;
  }

  write(data: Uint8Array, at: Milliseconds): void {
    let start = 0;
    if (this.#long || this.#heldBytes > 0) {
      const end = data.indexOf(NEWLINE);
      if (end < 0) return this.#hold(data, at);
      this.#endHeld(data.subarray(0, end + 1), at);
      start = end + 1;
    }
    const last = data.lastIndexOf(NEWLINE);
    if (last >= start) this.#lines(data.subarray(start, last + 1), at);
    if (last + 1 < data.length) this.#hold(data.subarray(last + 1), at);
  }

  /** Ends the stream. A line without its newline is partial. */
  end(at: Milliseconds): void {
    if (this.#long || this.#heldBytes > 0) this.#endLine(new Uint8Array(0), at, true);
  }

  /** Ends a held line at its newline. A short line is handled like a complete one. */
  #endHeld(rest: Uint8Array, at: Milliseconds): void {
    if (this.#long || this.#heldBytes + rest.length > REJOINED_BYTES_MAX)
      return this.#endLine(rest.subarray(0, -1), at, false);
    const whole = Buffer.concat([...this.#held, rest]);
    this.#held = [];
    this.#heldBytes = 0;
    this.#lines(whole, at);
  }

  /** Handles complete lines, including their newlines. */
  #lines(data: Uint8Array, at: Milliseconds): void {
    const { plain } = this.#options;
    if (!plain) return this.#wholeLines(data.subarray(0, -1), at);
    for (let start = 0; start < data.length; start++) {
      const taken = plain(data, start, at);
      const end = taken < 0 ? data.indexOf(NEWLINE, start) : taken;
      if (taken < 0) this.#wholeLines(data.subarray(start, end), at);
      start = end;
    }
  }

  /** Decodes several complete lines in one call if all are text. That is faster than one call per line. */
  #wholeLines(data: Uint8Array, at: Milliseconds): void {
    const { line, from, on } = this.#options;
    if (data.length <= this.#holdMax && isUtf8(data)) {
      for (const text of textOf(data).split('\n')) line({ kind: 'line', at, from, on, data: text });
      return;
    }
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
      this.#endLine(data.subarray(start, end), at, false);
      start = end + 1;
    }
    this.#endLine(data.subarray(start), at, false);
  }

  #endLine(rest: Uint8Array, at: Milliseconds, partial: boolean): void {
    const { long, line, from, on } = this.#options;
    if (this.#long || this.#heldBytes + rest.length > this.#holdMax) {
      this.#hold(rest, at);
      this.#long = false;
      long?.close({ at, partial });
      return;
    }
    const bytes = this.#heldBytes === 0 ? rest : Buffer.concat([...this.#held, rest]);
    this.#held = [];
    this.#heldBytes = 0;
    const data = isUtf8(bytes) ? textOf(bytes) : Uint8Array.from(bytes);
    line({ kind: 'line', at, from, on, data, ...(partial && { partial }) });
  }

  #hold(data: Uint8Array, at: Milliseconds): void {
    const { long } = this.#options;
    if (long && !this.#long && this.#heldBytes + data.length > this.#holdMax) {
      this.#long = true;
      long.open(at);
      for (const held of this.#held) long.piece(held);
      this.#held = [];
      this.#heldBytes = 0;
    }
    if (this.#long) long?.piece(data);
    else {
      this.#held.push(data);
      this.#heldBytes += data.length;
    }
  }
}

/** Decodes text. ASCII is detected and converted ten times faster than UTF-8. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
