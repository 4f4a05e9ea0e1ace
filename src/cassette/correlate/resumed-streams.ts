import type { Frame } from '../../channel/frame.ts';

/**
 * Conversations of HTTP streams: an exchange and the streams that resume it (`Last-Event-ID`) form one conversation.
 * Concurrent clients may use equal ids in different conversations.
 */
export class ResumedStreams {
  /** Stream → the stream that it resumes. */
  readonly #goesOnWith = new Map<number, number>();
  /** Event id → its conversation. */
  readonly #events = new Map<string, number>();
  /** Conversations whose stream the client has closed. */
  readonly #left = new Set<number>();

  /** Takes the next frame of the cassette. */
  add({ frame }: { frame: Frame }): void {
    const conversation = this.of(frame);
    if (conversation === undefined) return;
    if (frame.from === 'client' && frame.kind === 'close') this.#left.add(conversation);
    if ('sse' in frame && frame.sse?.id !== undefined) this.#events.set(frame.sse.id, conversation);
    const resumed = frame.kind === 'open' ? this.#events.get(frame.resumes ?? '') : undefined;
    if (resumed !== undefined) this.#goesOnWith.set(frame.stream!, resumed);
  }

  /** Returns the conversation of a frame. Undefined on stdio, where the session is one conversation. */
  of({ stream }: Frame): number | undefined {
    return stream === undefined ? undefined : (this.#goesOnWith.get(stream) ?? stream);
  }

  /** Reports whether the client has closed the stream of a conversation. */
  isClosedByClient(conversation: number | undefined): boolean {
    return conversation !== undefined && this.#left.has(conversation);
  }
}
