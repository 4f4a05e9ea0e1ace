import type { Frame } from '../../channel/frame.ts';

/**
 * Joins HTTP streams: an exchange and the streams that resume it (`Last-Event-ID`) form one conversation. Concurrent
 * clients may use equal ids in different exchanges.
 */
export class ResumedStreams {
  /** Stream to the stream that it resumes. */
  readonly #goesOnWith = new Map<number, number>();
  /** Event id to its conversation. */
  readonly #events = new Map<string, number>();
  /** Those whose stream the client has left. */
  readonly #left = new Set<number>();

  /** Passes the next frame of the cassette. */
  pass({ frame }: { frame: Frame }): void {
    const conversation = this.of(frame);
    if (conversation === undefined) return;
    if (frame.from === 'client' && frame.kind === 'close') this.#left.add(conversation);
    if ('sse' in frame && frame.sse?.id !== undefined) this.#events.set(frame.sse.id, conversation);
    const resumed = frame.kind === 'open' ? this.#events.get(frame.resumes ?? '') : undefined;
    if (resumed !== undefined) this.#goesOnWith.set(frame.stream!, resumed);
  }

  /** Returns the conversation of a frame; undefined on stdio, where the session has one. */
  of({ stream }: Frame): number | undefined {
    return stream === undefined ? undefined : (this.#goesOnWith.get(stream) ?? stream);
  }

  /** Whether the client has left its stream. */
  isLeft(conversation: number | undefined): boolean {
    return conversation !== undefined && this.#left.has(conversation);
  }
}
