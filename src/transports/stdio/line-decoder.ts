import { isAscii, isUtf8 } from 'node:buffer';
import type { LineFrame, OutputStream, Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';

/** A line too long to be held in memory, as it passes: opened, then its bytes in order, then closed. */
export interface LongLine {
  open(at: Milliseconds): void;
  /** Bytes of the line; they may be cut inside a character, and are valid only during the call. */
  piece(data: Uint8Array): void;
  close(options: { at: Milliseconds; partial: boolean }): void;
}

export interface LineDecoderOptions {
  from: Side;
  on: OutputStream;
  /** A whole line, without its newline: text, or bytes where it is not UTF-8. */
  line(frame: LineFrame): void;
  /**
   * Offered each line that came whole or is short, as it begins at `start` of `bytes`, which a newline ends. Takes it, and
   * as many after it as it likes, and returns where the last one's newline stands; -1: it wants the line as a frame.
   */
  plain?(bytes: Uint8Array, start: number, at: Milliseconds): number;
  /** Takes lines longer than `holdBytesMax`; without it every line is held, however long. */
  long?: LongLine;
  holdBytesMax?: number | undefined;
}

const NEWLINE = 0x0a;

/** Lines up to this many bytes are held in memory until they are whole. */
export const HOLD_BYTES_MAX: number = 4 * 1024 * 1024;

/** What is read at once: few lines are longer that were cut by where a read ended. */
const REJOINED_BYTES_MAX = 64 * 1024;

/**
 * Cuts a byte stream at newlines (stdio framing, all revisions: one message a line; never at U+2028, and a trailing
 * carriage return stays). Characters and lines may be split over chunks at any byte.
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

  /** The stream ended: a line without its newline is partial. */
  end(at: Milliseconds): void {
    if (this.#long || this.#heldBytes > 0) this.#endLine(new Uint8Array(0), at, true);
  }

  /** Ends a held line with its newline. A short one is handled like a whole line. */
  #endHeld(rest: Uint8Array, at: Milliseconds): void {
    if (this.#long || this.#heldBytes + rest.length > REJOINED_BYTES_MAX)
      return this.#endLine(rest.subarray(0, -1), at, false);
    const whole = Buffer.concat([...this.#held, rest]);
    this.#held = [];
    this.#heldBytes = 0;
    this.#lines(whole, at);
  }

  /** Lines with their newlines. */
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

  /** Decodes several whole lines in one call, which costs less than one call each, if all are text. */
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

/** ASCII is told, and made a string, ten times faster than UTF-8 is decoded. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
