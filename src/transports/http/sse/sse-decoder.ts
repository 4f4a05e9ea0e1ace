import { isUtf8 } from 'node:buffer';
import type { SseFields } from '../../../channel/frame.ts';
import type { BodyMemory, BodyShare, CutReason } from '../http1/body-memory.ts';

/** A block of an event stream with its fields. */
export interface SseEvent extends SseFields {
  /** Data lines, joined by newlines; bytes if they are not UTF-8. Absent: the block has no data line. */
  data?: string | Uint8Array;
  /** The stream ended inside the block, or the block exceeds the limit. The data is its beginning. */
  partial?: true;
  /** Part of the data was dropped, because it exceeds a limit. */
  isCut?: CutReason;
}

export interface SseDecoderOptions {
  event(event: SseEvent): void;
  /** Takes a comment: the text after its colon. */
  comment(text: string): void;
  /**
   * Fast path for events of type `message` with a single data line, received in one piece, and no other field than an
   * optional id before the data. The data begins at offset `start` of `piece` and ends before the next newline. Returns
   * whether it has handled the event. Otherwise `event` receives it.
   */
  plain?(piece: Uint8Array, start: number, id: string | undefined): boolean;
  /** A block's data beyond this many bytes is dropped. */
  holdBytesMax: number;
  /** Memory of all bodies that are held together with the incomplete event. Absent: it has no such limit. */
  memory?: BodyMemory;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const NAME_MAX = 'event'.length;
/** What a piece takes beside its bytes, about. */
const PIECE_BYTES = 128;
const DATA = Buffer.from('data: ');

/**
 * Decoder of an event stream (HTML, "Server-sent events"). Lines end with LF, CR or both, a byte order mark may come
 * first, and pieces may be split at any byte. It also reports events without data, which browsers skip and MCP uses to
 * prime a stream. The time is linear in the length of the stream, for pieces of any size.
 */
export class SseDecoder {
  readonly #options: SseDecoderOptions;
  /** Beginning of an incomplete line. */
  #line: Uint8Array[] = [];
  #data: Uint8Array[] = [];
  #fields: SseFields = {};
  #hasFields = false;
  #heldBytes = 0;
  /** Maximum of `#heldBytes` for the current event. */
  #limit: number;
  #overflown: CutReason | undefined;
  readonly #share: BodyShare | undefined;
  #isFirstLine = true;
  #wasCarriageReturn = false;

  constructor(options: SseDecoderOptions) {
    this.#options = options;
    this.#limit = options.holdBytesMax;
    this.#share = options.memory?.share(() => this.#giveUp());
  }

  /** Releases the memory of a stream whose rest is not decoded. */
  release(): void {
    this.#line = [];
    this.#data = [];
    this.#share?.hold(0);
  }

  /** Memory that the incomplete event takes, in bytes: each piece takes more than its bytes. */
  get #memoryBytes(): number {
    return this.#heldBytes + PIECE_BYTES * (this.#line.length + this.#data.length);
  }

  /** Drops the second half of what is held of the incomplete event, and whatever follows of it. */
  #giveUp(): number {
    this.#overflown = 'together';
    this.#limit = Math.floor(this.#heldBytes / 2);
    this.#heldBytes = 0;
    const isInLine = this.#line.length > 0;
    const begun = (pieces: Uint8Array[]) => pieces.map((piece) => this.#kept(piece)).filter(({ length }) => length > 0);
    this.#data = begun(this.#data);
    this.#line = begun(this.#line);
    if (isInLine && this.#line.length === 0) this.#line.push(new Uint8Array(0));
    return this.#memoryBytes;
  }

  /** Takes the next piece. The caller must not change it afterwards. */
  write(piece: Uint8Array): void {
    let at = 0;
    if (this.#wasCarriageReturn && piece.length > 0) {
      this.#wasCarriageReturn = false;
      if (piece[0] === LF) at = 1;
    }
    let lf = piece.indexOf(LF, at);
    let cr = piece.indexOf(CR, at);
    while (lf >= 0 || cr >= 0) {
      const isReturn = cr >= 0 && (lf < 0 || cr < lf);
      const end = isReturn ? cr : lf;
      // The fast path also consumes the empty line after the data.
      const isPlain = !isReturn && this.#takesPlain(piece, at, end);
      if (!isPlain) this.#endLine(piece.subarray(at, end));
      at = end + (isPlain ? 2 : 1);
      if (isReturn && piece[at] === LF) at++;
      else if (isReturn) this.#wasCarriageReturn = at === piece.length;
      // Each line break is searched again only after passing it: searching twice per line would make long lines
      // quadratic.
      if (lf >= 0 && lf < at) lf = piece.indexOf(LF, at);
      if (isReturn) cr = piece.indexOf(CR, at);
    }
    if (at < piece.length) this.#addToLine(this.#kept(piece.subarray(at)));
    this.#share?.hold(this.#memoryBytes);
  }

  /** Ends the stream. */
  end(): void {
    if (this.#line.length > 0) this.#endLine(new Uint8Array(0));
    if (this.#hasFields) this.#dispatch(true);
    this.#share?.hold(0);
  }

  /**
   * Offers the data line from `at` to `end` to the fast path if it completes an event with usual fields. Returns
   * whether the fast path has handled the event.
   */
  #takesPlain(piece: Uint8Array, at: number, end: number): boolean {
    const { plain, holdBytesMax } = this.#options;
    if (plain === undefined || piece[end + 1] !== LF || this.#line.length > 0) return false;
    if (this.#hasFields && !this.#isUsualEvent()) return false;
    const start = at + DATA.length;
    if (end - start > holdBytesMax) return false;
    for (let i = 0; i < DATA.length; i++) if (piece[at + i] !== DATA[i]) return false;
    this.#isFirstLine = false;
    if (!plain(piece, start, this.#fields.id)) return false;
    this.#fields = {};
    this.#hasFields = false;
    return true;
  }

  /**
   * Reports whether the event has only fields that SDKs send before the data of a message: `event: message` and an id.
   */
  #isUsualEvent(): boolean {
    const { event = 'message', retry } = this.#fields;
    return this.#data.length === 0 && event === 'message' && retry === undefined;
  }

  #endLine(rest: Uint8Array): void {
    let line = this.#line.length === 0 ? rest : Buffer.concat([...this.#line, this.#kept(rest)]);
    if (this.#line.length > 0) this.#heldBytes -= line.length;
    this.#line = [];
    if (this.#isFirstLine && hasMark(line)) line = line.subarray(3);
    this.#isFirstLine = false;
    if (line.length === 0) return this.#hasFields ? this.#dispatch(this.#overflown !== undefined) : undefined;
    const colon = line.indexOf(COLON);
    if (colon === 0) return this.#options.comment(textOf(line.subarray(1)));
    const name = colon < 0 ? line : line.subarray(0, colon);
    if (name.length > NAME_MAX) return;
    const from = colon < 0 ? line.length : colon + (line[colon + 1] === SPACE ? 2 : 1);
    this.#field(textOf(name), line.subarray(from));
  }

  #field(name: string, value: Uint8Array): void {
    if (name === 'data') this.#addData(this.#kept(value));
    else if (name === 'event') this.#fields.event = textOf(value);
    else if (name === 'id' && !value.includes(0)) this.#fields.id = textOf(value);
    else if (name === 'retry' && /^\d+$/.test(textOf(value))) this.#fields.retry = retryOf(textOf(value));
    else return;
    this.#hasFields = true;
  }

  #addData(kept: Uint8Array): void {
    if (kept.length > 0 || this.#overflown === undefined) this.#data.push(kept);
  }

  #addToLine(kept: Uint8Array): void {
    if (kept.length > 0 || this.#line.length === 0) this.#line.push(kept);
  }

  /** Returns the part of a line within the limit. */
  #kept(bytes: Uint8Array): Uint8Array {
    const room = this.#limit - this.#heldBytes;
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
    if (kept.length < bytes.length) this.#overflown ??= 'itself';
    this.#heldBytes += kept.length;
    return kept;
  }

  #dispatch(isPartial: boolean): void {
    const event: SseEvent = { ...this.#fields };
    if (this.#data.length > 0) event.data = joined(this.#data);
    if (isPartial) event.partial = true;
    if (this.#overflown) event.isCut = this.#overflown;
    this.#fields = {};
    this.#data = [];
    this.#hasFields = false;
    this.#heldBytes = 0;
    this.#limit = this.#options.holdBytesMax;
    this.#overflown = undefined;
    this.#options.event(event);
  }
}

function joined(lines: readonly Uint8Array[]): string | Uint8Array {
  const bytes =
    lines.length === 1 ? lines[0]! : Buffer.concat(lines.flatMap((line, n) => (n === 0 ? [line] : [NEWLINE, line])));
  return isUtf8(bytes) ? textOf(bytes) : Uint8Array.from(bytes);
}

const NEWLINE = Uint8Array.of(LF);

/** Parses `retry`. Digits that a number cannot hold stay text. */
function retryOf(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}

function hasMark(line: Uint8Array): boolean {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
