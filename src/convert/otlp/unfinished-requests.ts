import type { MessageEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Side } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { Request } from '../../protocol/message.ts';
import { isStream } from '../../protocol/method-table.ts';
import type { Span } from './otlp-types.ts';

/** Request without a response so far. */
export interface OpenRequest {
  entry: MessageEntry;
  request: Request;
  span: Span;
  /** First cancellation. */
  cancelled?: { at: Milliseconds; by: Side };
}

/** Requests without a response, by entry index. */
export class UnfinishedRequests {
  readonly #all = new Map<number, OpenRequest>();
  /** Requests of the client that the server is working on. Long-lived streams do not count. */
  readonly #working = new Set<OpenRequest>();
  /** Latest request of the client on each HTTP stream. */
  readonly #onStream = new Map<number, OpenRequest>();

  add(open: OpenRequest): void {
    const { index, from, frame } = open.entry;
    this.#all.set(index, open);
    if (from === 'server') return;
    if (!isStream(open.request.method)) this.#working.add(open);
    if (frame.stream !== undefined) this.#onStream.set(frame.stream, open);
  }

  get(index: number | undefined): OpenRequest | undefined {
    return index === undefined ? undefined : this.#all.get(index);
  }

  /** Removes and returns a request. Undefined: it is not open. */
  take(index: number | undefined): OpenRequest | undefined {
    const open = this.get(index);
    if (open === undefined) return undefined;
    const { stream } = open.entry.frame;
    this.#all.delete(open.entry.index);
    this.#working.delete(open);
    if (stream !== undefined && this.#onStream.get(stream) === open) this.#onStream.delete(stream);
    return open;
  }

  /** Removes and returns all requests, in order. */
  takeAll(): OpenRequest[] {
    return [...this.#all.keys()].flatMap((index) => this.take(index) ?? []);
  }

  /** Returns the request of the client whose response an HTTP stream carries. */
  onStream(stream: number): OpenRequest | undefined {
    return this.#onStream.get(stream);
  }

  /** Returns the only request that the server is working on. Undefined: there is none, or several. */
  get only(): OpenRequest | undefined {
    const [first] = this.#working;
    return this.#working.size === 1 ? first : undefined;
  }
}
