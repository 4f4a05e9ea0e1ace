import type { Frame, WireFrame } from '../../channel/frame.ts';
import { Queue } from '../../kernel/queue.ts';
import type { CloseKind } from '../../transports/http/proxy/http-traffic.ts';
import { blockFrames, bodyFrame, plainMessage, type Said } from './frame-codec.ts';
import { SseBlockSplitter } from './sse-block-splitter.ts';

/** The longest body that is held whole. */
export const BODY_BYTES_MAX: number = 64 * 1024 * 1024;

export interface ResponseDecoderOptions {
  /** The response is an event stream rather than a single body. */
  isStream: boolean;
  /** Returns the base fields of the next frame. */
  said(): Said & { from: 'server' };
  /** Asked first about a plain event with a message: whether it went on as it is. */
  passesOver(message: unknown, event: Uint8Array): boolean;
  /** Takes its frames. */
  push(frame: WireFrame): void;
  /** A URI of the server's as the client shall see it. */
  rewrite(uri: string): string;
  /** The body is longer than may be held. */
  tooLong(): void;
}

/** How a response ends: completely, or with its connection. */
interface End {
  how?: CloseKind;
}

/** What a server says to one request, as frames: a body once it is whole, events as they come, and none while it is paused. */
export class ResponseDecoder {
  readonly #options: ResponseDecoderOptions;
  readonly #blocks = new SseBlockSplitter((block) => this.#hear(block));
  readonly #frameOf = blockFrames();
  readonly #body: Uint8Array[] = [];
  #length = 0;
  /** What came of a stream while it was paused. */
  readonly #unsaid = new Queue<Uint8Array | End>();
  #isPaused = false;

  constructor(options: ResponseDecoderOptions) {
    this.#options = options;
  }

  /** Takes the next piece, which must not change afterwards. */
  data(piece: Uint8Array): void {
    if (this.#options.isStream) return this.#blocks.write(piece);
    this.#body.push(piece);
    this.#length += piece.length;
    if (this.#length > BODY_BYTES_MAX) this.#options.tooLong();
  }

  /** Nothing more comes. */
  end(how?: CloseKind): void {
    this.#hear({ ...(how && { how }) });
  }

  /** Nothing is said until it goes on. */
  pause(is: boolean): void {
    this.#isPaused = is;
    while (!this.#isPaused && this.#unsaid.size > 0) this.#say(this.#unsaid.take()!);
  }

  #hear(one: Uint8Array | End): void {
    if (this.#isPaused || this.#unsaid.size > 0) this.#unsaid.add(one);
    else this.#say(one);
  }

  #say(one: Uint8Array | End): void {
    const { said, push, rewrite, passesOver } = this.#options;
    if (!(one instanceof Uint8Array)) return this.#sayEnd(one);
    const plain = plainMessage(one);
    if (plain && passesOver(plain.value, one)) return;
    const frame = this.#frameOf(one, said(), plain);
    if (frame === undefined) this.#sayBytes(one);
    else push(frame.kind === 'sse' ? towards(frame, rewrite) : frame);
  }

  #sayEnd(end: End): void {
    const { isStream, said, push } = this.#options;
    const body = isStream ? undefined : bodyFrame(Buffer.concat(this.#body), said());
    const rest = this.#blocks.rest();
    if (body) push(body);
    if (rest.length > 0) this.#sayBytes(rest);
    push({ ...said(), kind: 'close', ...end });
  }

  #sayBytes(data: Uint8Array): void {
    this.#options.push({ ...this.#options.said(), kind: 'bytes', on: 'protocol', data });
  }
}

/** 2024-11-05, HTTP with SSE: the client must be told our endpoint. Another event stays the frame that it is. */
function towards(frame: Frame, rewrite: (uri: string) => string): Frame {
  if (frame.kind !== 'sse' || frame.sse.event !== 'endpoint') return frame;
  const { data = '' } = frame.sse;
  const uri = rewrite(data);
  return uri === data ? frame : { ...frame, sse: { ...frame.sse, data: uri } };
}
