import { type AnswerHead, answerHead, type Framing, framingOf, isLasting, MARK } from './answer-head.ts';
import { Chunks } from './chunks.ts';

/** Told what an answer consists of, in order. */
export interface AnswerEvents {
  /** 100 and the like: the answer itself is still to come. */
  interim(status: number): void;
  head(head: AnswerHead): void;
  data(data: Buffer): void;
  end(): void;
  /** It is no HTTP/1 from here on. Nothing more is read. */
  invalid(error: Error): void;
}

const SWITCHING_PROTOCOLS = 101;
const END = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/** Reads the answers that come by one connection, one after the other (RFC 9112). */
export class AnswerReader {
  readonly #events: AnswerEvents;
  readonly #headBytesMax: number;
  #method = '';
  /** The beginning of a head; undefined while a body is read. */
  #held: Buffer | undefined = NOTHING;
  /** What is left of a body with a length. */
  #left = 0;
  #chunks: Chunks | undefined;
  #isUntilClose = false;
  #isOver = true;
  #isLasting = true;

  constructor(events: AnswerEvents, headBytesMax: number) {
    this.#events = events;
    this.#headBytesMax = headBytesMax;
  }

  /** Whether the answer was read to its end. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the connection may bring another answer after this one. */
  get isLasting(): boolean {
    return this.#isLasting;
  }

  /** The next answer is one to this method. */
  expect(method: string): void {
    this.#method = method;
    this.#held = NOTHING;
    this.#isOver = false;
  }

  /** Takes the next piece, which is the reader's from now on. */
  write(piece: Buffer): void {
    if (this.#isOver) {
      // Nobody asked for it: what comes after it would answer another question.
      this.#isLasting = false;
    } else if (this.#held === undefined) this.#readBody(piece);
    else this.#readHeads(this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]));
  }

  /** The server closed the connection. Gives whether that ended the answer as it shall end. */
  close(): boolean {
    if (!this.#isUntilClose || this.#isOver) return false;
    this.#end();
    return true;
  }

  #readHeads(piece: Buffer): void {
    let rest: Buffer | undefined = piece;
    while (rest !== undefined) rest = this.#readHead(rest);
  }

  /** Gives what comes after a head that another follows. */
  #readHead(piece: Buffer): Buffer | undefined {
    const text = piece.toString('latin1', 0, this.#headBytesMax + END.length);
    const end = text.indexOf(END);
    if (!MARK.startsWith(text.slice(0, MARK.length))) return this.#fail('it does not begin with HTTP/1');
    if ((end < 0 ? piece.length : end) > this.#headBytesMax) return this.#fail('its head is too long');
    if (end < 0) {
      const line = text.indexOf('\n');
      if (line >= 0 && text[line - 1] !== '\r') return this.#fail('its lines end as those of HTTP/1 do not');
      this.#held = piece;
      return undefined;
    }
    const head = answerHead(text.slice(0, end));
    if (head === undefined) return this.#fail('its head is not valid');
    const rest = piece.subarray(end + END.length);
    return head.status < 200 ? this.#passInterim(head, rest) : this.#begin(head, rest);
  }

  #passInterim({ status }: AnswerHead, rest: Buffer): Buffer | undefined {
    if (status === SWITCHING_PROTOCOLS) return this.#fail('it switches to a protocol that nobody asked for');
    this.#held = NOTHING;
    this.#events.interim(status);
    return rest;
  }

  #begin(head: AnswerHead, rest: Buffer): undefined {
    const framing = framingOf(head, this.#method);
    if (framing === undefined) return this.#fail('the length of its body is not valid');
    this.#held = undefined;
    this.#frame(framing);
    this.#isLasting = isLasting(head, framing);
    this.#events.head(head);
    if (framing === 0) this.#end();
    if (rest.length > 0) this.write(rest);
  }

  #frame(framing: Framing): void {
    this.#left = typeof framing === 'number' ? framing : 0;
    this.#chunks = framing === 'chunks' ? new Chunks() : undefined;
    this.#isUntilClose = framing === 'close';
  }

  #readBody(piece: Buffer): void {
    if (this.#isUntilClose) return this.#events.data(piece);
    if (this.#chunks) return this.#readChunks(this.#chunks, piece);
    const data = piece.length > this.#left ? piece.subarray(0, this.#left) : piece;
    this.#left -= data.length;
    this.#events.data(data);
    if (this.#left === 0) this.#end();
    if (data.length < piece.length) this.write(piece.subarray(data.length));
  }

  #readChunks(chunks: Chunks, piece: Buffer): void {
    const { data, read } = chunks.data(piece);
    if (data.length > 0) this.#events.data(data);
    if (chunks.isInvalid) return this.#fail('its chunks are not valid');
    if (!chunks.isOver) return;
    this.#end();
    if (read < piece.length) this.write(piece.subarray(read));
  }

  #end(): void {
    this.#isOver = true;
    this.#events.end();
  }

  #fail(why: string): undefined {
    this.#isOver = true;
    this.#isLasting = false;
    this.#events.invalid(new Error(why));
  }
}
