import { SseDecoder } from '../sse/sse-decoder.ts';

const LF = 0x0a;
const CR = 0x0d;

/** An event that names an endpoint is short; a longer beginning is passed on as it is. */
const BLOCK_BYTES_MAX = 8 * 1024;

/**
 * Passes an event stream on, but for the URI in its first event if that is an `endpoint` (2024-11-05, HTTP with SSE): the
 * client must be told ours. Bytes wait only while they may belong to that event.
 */
export class SseEndpointRewriter {
  readonly #rewrite: (uri: string) => string;
  #held: Uint8Array | undefined = new Uint8Array(0);

  /** @param rewrite gives the URI that the client shall use; the same text where it needs no change */
  constructor(rewrite: (uri: string) => string) {
    this.#rewrite = rewrite;
  }

  /** What to pass on now. */
  write(piece: Uint8Array): Uint8Array {
    if (this.#held === undefined) return piece;
    const all = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    const end = blockEnd(all);
    if (end < 0 && all.length < BLOCK_BYTES_MAX) {
      this.#held = all;
      return new Uint8Array(0);
    }
    this.#held = undefined;
    return end < 0 ? all : this.#rewritten(all, end);
  }

  /** Returns the rest of the stream at its end. */
  end(): Uint8Array {
    const held = this.#held ?? new Uint8Array(0);
    this.#held = undefined;
    return held;
  }

  #rewritten(stream: Uint8Array, end: number): Uint8Array {
    const endpoint = endpointOf(stream.subarray(0, end));
    if (endpoint === undefined) return stream;
    const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.length);
    const at = bytes.subarray(0, end).lastIndexOf(endpoint);
    const uri = this.#rewrite(endpoint);
    if (at < 0 || uri === endpoint) return stream;
    const rest = bytes.subarray(at + Buffer.byteLength(endpoint));
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(uri), rest]);
  }
}

/** The URI that the server names in `block`, if that is its `endpoint` event. */
function endpointOf(block: Uint8Array): string | undefined {
  let uri: string | undefined;
  const decoder = new SseDecoder({
    holdBytesMax: BLOCK_BYTES_MAX,
    comment: () => {},
    event: ({ event, data }) => {
      if (event === 'endpoint' && typeof data === 'string') uri = data;
    },
  });
  decoder.write(block);
  decoder.end();
  return uri;
}

/** The offset after the first empty line that follows another line; -1 while there is none. */
function blockEnd(bytes: Uint8Array): number {
  let lineStart = 0;
  for (let n = 0; n < bytes.length; n++) {
    if (bytes[n] !== LF && bytes[n] !== CR) continue;
    const isEmpty = n === lineStart;
    if (bytes[n] === CR && bytes[n + 1] === LF) n++;
    if (isEmpty && lineStart > 0) return n + 1;
    lineStart = n + 1;
  }
  return -1;
}
