import type { Frame, WireFrame } from '../../channel/frame.ts';
import { Queue } from '../../kernel/queue-and-binary-search.ts';
import type { BodyMemory, BodyShare, CutReason } from '../../transports/http/http1/body-memory.ts';
import { HeldPieces } from '../../transports/http/http1/held-pieces.ts';
import { headerOf, isIdentity, mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { CloseKind, RawHeaders } from '../../transports/http/proxy/http-traffic.ts';
import { blockFrames, bodyFrame, type FrameBase, plainMessage } from './frame-codec.ts';
import { SseBlockSplitter } from './sse-block-splitter.ts';

/** Maximum length of a body that is held as a whole. */
export const BODY_BYTES_MAX: number = 64 * 1024 * 1024;

export interface ResponseToFramesOptions {
  /** The response is an event stream rather than a single body. */
  isStream: boolean;
  /** Returns the base fields of the next frame. */
  said(): FrameBase & { from: 'server' };
  /** Counts a plain event with a message. True: the event was forwarded unchanged, and is not pushed. */
  passesOver(message: unknown, event: Uint8Array): boolean;
  /** Takes the decoded frames. */
  push(frame: WireFrame): void;
  /** Maps a URI of the server to the proxy's. */
  rewrite(uri: string): string;
  /** Maximum length of a body or event. Default: 64 MiB. */
  bodyMax?: number | undefined;
  /** Memory of everything that is held of bodies. */
  memory: BodyMemory;
  /** Called when the body or an event exceeds a limit. */
  tooLong(reason: CutReason): void;
}

/** Reports whether a response is an event stream that can be read. */
export function isEventStream(headers: RawHeaders): boolean {
  return mediaType(headerOf(headers, 'content-type')) === 'text/event-stream' && isIdentity(headers);
}

/** End of a response: regular, or with its connection. */
interface End {
  how?: CloseKind;
}

/** Decodes a response into frames: a body when it is complete, events as they arrive. While paused, frames are held. */
export class ResponseToFrames {
  readonly #options: ResponseToFramesOptions;
  readonly #blocks = new SseBlockSplitter((block) => this.#hear(block));
  readonly #frameOf = blockFrames();
  readonly #body = new HeldPieces();
  readonly #share: BodyShare;
  #isTooLong = false;
  /** Blocks of a stream that arrived during a pause. */
  readonly #unsaid = new Queue<Uint8Array | End>();
  #isPaused = false;

  constructor(options: ResponseToFramesOptions) {
    this.#options = options;
    this.#share = options.memory.share(() => {
      this.release();
      this.#isTooLong = true;
      options.tooLong('together');
      return 0;
    });
  }

  /** Takes the next piece. The caller must not change it afterwards. */
  data(piece: Uint8Array): void {
    if (this.#isTooLong) return;
    if (this.#options.isStream) this.#blocks.write(piece);
    else this.#body.add(piece);
    const length = this.#blocks.heldBytes + this.#body.length;
    this.#share.hold(length);
    if (this.#isTooLong || length <= (this.#options.bodyMax ?? BODY_BYTES_MAX)) return;
    this.#isTooLong = true;
    this.#options.tooLong('itself');
  }

  /** Releases the memory of a response that nobody needs any more. */
  release(): void {
    this.#body.clear();
    this.#blocks.rest();
    this.#share.hold(0);
  }

  /** Ends the response. */
  end(how?: CloseKind): void {
    this.#hear({ ...(how && { how }) });
  }

  /** Stops or resumes the delivery of frames. */
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
    const body = isStream ? undefined : bodyFrame(this.#body.take(), said());
    const rest = this.#blocks.rest();
    this.#share.hold(0);
    if (body) push(body);
    if (rest.length > 0) this.#sayBytes(rest);
    push({ ...said(), kind: 'close', ...end });
  }

  #sayBytes(data: Uint8Array): void {
    this.#options.push({ ...this.#options.said(), kind: 'bytes', on: 'protocol', data });
  }
}

/**
 * Rewrites the URI of an `endpoint` event (2024-11-05, HTTP with SSE) to the proxy's. Other events stay the same frame.
 */
function towards(frame: Frame, rewrite: (uri: string) => string): Frame {
  if (frame.kind !== 'sse' || frame.sse.event !== 'endpoint') return frame;
  const { data = '' } = frame.sse;
  const uri = rewrite(data);
  return uri === data ? frame : { ...frame, sse: { ...frame.sse, data: uri } };
}
