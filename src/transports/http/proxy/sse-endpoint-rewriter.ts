import { SseDecoder } from '../sse/sse-decoder.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Maximum length of an `endpoint` event. A longer first block is forwarded unchanged. */
const BLOCK_BYTES_MAX = 8 * 1024;

/**
 * Rewriter of the URI in an event stream's first event, if it is an `endpoint` event (2024-11-05, HTTP with SSE). The
 * client has to post to the proxy. Only bytes that may belong to this event are held. Comments and times to reconnect
 * before it are no events.
 */
export class SseEndpointRewriter {
  readonly #rewrite: (uri: string) => string;
  #held: Uint8Array | undefined = new Uint8Array(0);

  /** @param rewrite returns the URI for the client; the same text if no change is needed */
  constructor(rewrite: (uri: string) => string) {
    this.#rewrite = rewrite;
  }

  /** Returns the bytes to forward now. */
  write(piece: Uint8Array): Uint8Array {
    if (this.#held === undefined) return piece;
    const all = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    let start = 0;
    for (;;) {
      const rest = all.subarray(start);
      const end = blockEnd(rest);
      if (end >= 0 && isWithoutEvent(rest.subarray(0, end))) {
        start += end;
        continue;
      }
      const isOpen = end < 0 && rest.length < BLOCK_BYTES_MAX;
      this.#held = isOpen ? rest : undefined;
      if (end < 0) return isOpen ? all.subarray(0, start) : all;
      const rewritten = this.#rewritten(rest, end);
      return start === 0 ? rewritten : Buffer.concat([all.subarray(0, start), rewritten]);
    }
  }

  /** Returns the held bytes at the end of the stream. */
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

/** Returns the URI of an `endpoint` event. Undefined: `block` is another event. */
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

/** Reports whether a block has nothing for the client but comments, ids and times to reconnect. */
function isWithoutEvent(block: Uint8Array): boolean {
  return Buffer.from(block.buffer, block.byteOffset, block.length)
    .toString('latin1')
    .split(/[\r\n]/)
    .every((line) => line === '' || /^(?:id|retry)?:/.test(line));
}

/** Returns the offset after the first block, which ends with an empty line. -1: no block is complete. */
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
