import type { Frame } from '../../channel/frame.ts';

/**
 * Which frames of HTTP are one conversation: those of one exchange, and of streams that were opened to go on with it
 * (`Last-Event-ID`). Several clients may use the same ids at once, each in an exchange of its own.
 */
export class ResumedStreams {
  /** Stream → the stream of the exchange that it goes on with. */
  readonly #goesOnWith = new Map<number, number>();
  /** Id of an event → the conversation that it is of. */
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

  /** The conversation of a frame; undefined where there is one for all, as on stdio. */
  of({ stream }: Frame): number | undefined {
    return stream === undefined ? undefined : (this.#goesOnWith.get(stream) ?? stream);
  }

  /** Whether the client has left its stream. */
  isLeft(conversation: number | undefined): boolean {
    return conversation !== undefined && this.#left.has(conversation);
  }
}
