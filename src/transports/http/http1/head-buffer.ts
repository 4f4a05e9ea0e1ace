const END = Buffer.from('\r\n\r\n');
const LF = 0x0a;
const CR = 0x0d;
const NOTHING = Buffer.alloc(0);

/** Head without its final empty line, followed by the rest of the bytes; or the reason for rejecting it. */
export type Head = { text: string; rest: Buffer } | { fault: string };

export const TOO_LONG = 'its head is too long';
export const BAD_LINES = 'its lines end as those of HTTP/1 do not';

/** Buffer for the head of a message (RFC 9112, 2.1), in pieces of any size. Each byte is examined once. */
export class HeadBuffer {
  readonly #bytesMax: number;
  /** Received bytes, with spare capacity. */
  #held: Buffer = NOTHING;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Whether part of a head has been received. */
  get hasBegun(): boolean {
    return this.#length > 0;
  }

  /** Returns the received text, at most `length` characters. */
  start(length: number): string {
    return this.#held.toString('latin1', 0, Math.min(length, this.#length));
  }

  /** Adds the next piece. Returns the complete head, or undefined. After a head, the buffer accepts the next one. */
  take(piece: Buffer): Head | undefined {
    const before = this.#length;
    this.#hold(piece);
    const held = this.#held.subarray(0, this.#length);
    const end = held.indexOf(END, Math.max(0, before - END.length + 1));
    if ((end < 0 ? held.length : end) > this.#bytesMax) return { fault: TOO_LONG };
    if (end < 0) {
      return hasBadBreak(held, before) ? { fault: BAD_LINES } : undefined;
    }
    this.#held = NOTHING;
    this.#length = 0;
    return { text: held.toString('latin1', 0, end), rest: held.subarray(end + END.length) };
  }

  #hold(piece: Buffer): void {
    const before = this.#length;
    this.#length += piece.length;
    if (before === 0) {
      this.#held = piece;
      return;
    }
    if (this.#held.length < this.#length) {
      const larger = Buffer.allocUnsafeSlow(2 * this.#length);
      this.#held.copy(larger, 0, 0, before);
      this.#held = larger;
    }
    piece.copy(this.#held, before);
  }
}

/** Reports whether a CR or LF from `from` on stands alone. A final CR may still get its LF. */
function hasBadBreak(held: Buffer, from: number): boolean {
  for (let at = held.indexOf(LF, from); at >= 0; at = held.indexOf(LF, at + 1)) if (held[at - 1] !== CR) return true;
  const start = Math.max(0, from - 1);
  for (let at = held.indexOf(CR, start); at >= 0 && at + 1 < held.length; at = held.indexOf(CR, at + 1))
    if (held[at + 1] !== LF) return true;
  return false;
}
