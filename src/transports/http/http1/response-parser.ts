import { BodyParser } from './body-parser.ts';
import { HeadBuffer } from './head-buffer.ts';
import { framingOf, isLasting, MARK, parseResponseHead, type ResponseHead } from './response-head.ts';

/** Handlers for the parts of a response, in order. */
export interface ResponseEvents {
  /** Takes an interim response, such as 100 or 103. The final response follows. */
  interim(head: ResponseHead): void;
  head(head: ResponseHead): void;
  data(data: Buffer): void;
  end(): void;
  /** Called if the bytes are not HTTP/1. Parsing stops. */
  invalid(error: Error): void;
}

const SWITCHING_PROTOCOLS = 101;
const LF = 0x0a;
const CR = 0x0d;

/** Parser of consecutive responses on one connection (RFC 9112). */
export class ResponseParser {
  readonly #events: ResponseEvents;
  readonly #heads: HeadBuffer;
  #method = '';
  /** Absent: a head is being read. */
  #body: BodyParser | undefined;
  #isUntilClose = false;
  #isOver = true;
  #isLasting = true;

  constructor(events: ResponseEvents, headBytesMax: number) {
    this.#events = events;
    this.#heads = new HeadBuffer(headBytesMax);
  }

  /** Whether the response is complete. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the connection stays open for another response. */
  get isLasting(): boolean {
    return this.#isLasting;
  }

  /** Starts the next response, to a request with `method`. */
  expect(method: string): void {
    this.#method = method;
    this.#body = undefined;
    this.#isOver = false;
  }

  /** Parses the next piece. The parser keeps a reference to it. */
  write(piece: Buffer): void {
    if (this.#isOver) {
      // Data without a request: a later response could be taken for the answer to the wrong request.
      this.#isLasting = false;
    } else if (this.#body !== undefined) this.#readBody(this.#body, piece);
    else this.#readHeads(piece);
  }

  /** Ends the parsing, because the server closed the connection. True: that was the regular end of the response. */
  close(): boolean {
    if (!this.#isUntilClose || this.#isOver) return false;
    this.#end();
    return true;
  }

  #readHeads(piece: Buffer): void {
    let rest: Buffer | undefined = piece;
    while (rest !== undefined && rest.length > 0) rest = this.#readHead(rest);
  }

  /** Returns the bytes after an interim head, to be parsed as the next head. */
  #readHead(piece: Buffer): Buffer | undefined {
    // Empty lines before a response are ignored, as Node's client does.
    let start = 0;
    if (!this.#heads.hasBegun) while (piece[start] === CR || piece[start] === LF) start++;
    if (start === piece.length) return undefined;
    const found = this.#heads.take(piece.subarray(start));
    const text = found !== undefined && 'text' in found ? found.text : this.#heads.start(MARK.length);
    if (!MARK.startsWith(text.slice(0, MARK.length))) return this.#fail('it does not begin with HTTP/1');
    if (found === undefined) return undefined;
    if ('fault' in found) return this.#fail(found.fault);
    const head = parseResponseHead(found.text);
    if (head === undefined) return this.#fail('its head is not valid');
    return head.status < 200 ? this.#passInterim(head, found.rest) : this.#begin(head, found.rest);
  }

  #passInterim(head: ResponseHead, rest: Buffer): Buffer | undefined {
    if (head.status === SWITCHING_PROTOCOLS) return this.#fail('it switches to a protocol that nobody asked for');
    this.#events.interim(head);
    return rest;
  }

  #begin(head: ResponseHead, rest: Buffer): undefined {
    const framing = framingOf(head, this.#method);
    if (framing === undefined) return this.#fail('the length of its body is not valid');
    this.#body = new BodyParser(framing);
    this.#isUntilClose = framing === 'close';
    this.#isLasting = isLasting(head, framing);
    this.#events.head(head);
    if (this.#body.isOver) this.#end();
    if (rest.length > 0) this.write(rest);
  }

  #readBody(body: BodyParser, piece: Buffer): void {
    const { data, read } = body.take(piece);
    if (data.length > 0) this.#events.data(data);
    if (body.isInvalid) return this.#fail('its chunks are not valid');
    if (!body.isOver) return;
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
