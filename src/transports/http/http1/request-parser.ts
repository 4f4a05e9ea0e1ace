import { BodyParser } from './body-parser.ts';
import { HeadBuffer, TOO_LONG } from './head-buffer.ts';
import { framingOfRequest, parseRequestHead, type RequestHead } from './request-head.ts';

/** Handlers for the parts of a request, in order. */
export interface RequestEvents {
  head(head: RequestHead): void;
  data(data: Buffer): void;
  end(): void;
  /** Called with status and reason if the request is invalid or unsupported. Parsing stops. */
  refused(status: number, why: string): void;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Parser of the requests on one connection (RFC 9112). It waits for `next` after each. It rejects anything ambiguous,
 * because anyone may connect.
 */
export class RequestParser {
  readonly #events: RequestEvents;
  readonly #heads: HeadBuffer;
  /** Absent: a head is being read. */
  #body: BodyParser | undefined;
  /** Pieces that belong to later requests. */
  #early: Buffer[] = [];
  #earlyBytes = 0;
  #isOver = false;
  #isBroken = false;

  constructor(events: RequestEvents, headBytesMax: number) {
    this.#events = events;
    this.#heads = new HeadBuffer(headBytesMax);
  }

  /** Whether a request is complete. The parser then waits for `next`. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether a head is incomplete. */
  get isInHead(): boolean {
    return this.#heads.hasBegun;
  }

  /** Whether a body is incomplete. */
  get isInBody(): boolean {
    return this.#body !== undefined && !this.#isOver;
  }

  /** Number of bytes that belong to later requests. */
  get earlyBytes(): number {
    return this.#earlyBytes;
  }

  /** Parses the next piece. The parser keeps a reference to it. */
  write(piece: Buffer): void {
    if (this.#isBroken) return;
    if (this.#isOver) {
      this.#early.push(piece);
      this.#earlyBytes += piece.length;
    } else if (this.#body !== undefined) this.#readBody(this.#body, piece);
    else this.#readHead(piece);
  }

  /** Starts parsing the next request, beginning with bytes received early. */
  next(): void {
    this.#isOver = false;
    this.#body = undefined;
    const early = this.#early;
    if (early.length === 0) return;
    this.#early = [];
    this.#earlyBytes = 0;
    for (const piece of early) this.write(piece);
  }

  #readHead(piece: Buffer): void {
    // Empty lines before a request are ignored (RFC 9112, 2.2).
    let start = 0;
    if (!this.#heads.hasBegun) while (piece[start] === CR || piece[start] === LF) start++;
    if (start === piece.length) return;
    const found = this.#heads.take(start === 0 ? piece : piece.subarray(start));
    if (found === undefined) return;
    if ('fault' in found) return this.#refuse(found.fault === TOO_LONG ? 431 : 400, found.fault);
    const head = parseRequestHead(found.text);
    if (head === undefined) return this.#refuse(400, 'its head is not valid');
    const framing = framingOfRequest(head);
    if (typeof framing === 'object') return this.#refuse(framing.refusal, framing.why);
    this.#body = new BodyParser(framing);
    this.#events.head(head);
    if (this.#body.isOver) this.#end();
    if (found.rest.length > 0) this.write(found.rest);
  }

  #readBody(body: BodyParser, piece: Buffer): void {
    const { data, read } = body.take(piece);
    if (data.length > 0) this.#events.data(data);
    if (body.isInvalid) return this.#refuse(400, 'its chunks are not valid');
    if (!body.isOver) return;
    this.#end();
    if (read < piece.length) this.write(piece.subarray(read));
  }

  #end(): void {
    this.#isOver = true;
    this.#events.end();
  }

  #refuse(status: number, why: string): void {
    this.#isBroken = true;
    this.#events.refused(status, why);
  }
}
