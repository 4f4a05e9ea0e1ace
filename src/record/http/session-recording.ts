import { bodySiblings, eventSiblings } from '../../cassette/write/format-event.ts';
import type { Frame, Side } from '../../channel/frame.ts';
import type { TapeWriter } from '../writer/cassette-writer.ts';
import { PlainEvent } from '../writer/fast-message-writer.ts';
import type { SessionFacts } from './exchange-to-frames.ts';

/** One session's tape: the exchanges that belong to it, each a stream of its own number. */
export class HttpSession {
  facts: SessionFacts;
  readonly #writer: TapeWriter;
  #streams = 0;
  #under = 0;
  #ending: string | undefined;

  constructor(writer: TapeWriter, facts: SessionFacts) {
    this.#writer = writer;
    this.facts = facts;
  }

  /** An exchange joins: the number of its stream. */
  join(): number {
    this.#under++;
    return ++this.#streams;
  }

  /** An exchange is over. The last one after the end takes the tape along. */
  leave(): void {
    this.#under--;
    if (this.#ending !== undefined) this.end(this.#ending);
  }

  /** Whether no exchange is under way. */
  get isIdle(): boolean {
    return this.#under === 0;
  }

  write(frame: Frame): void {
    this.#writer.write(frame);
  }

  /** The short way to the tape, of the events of one stream. */
  plainEvents(stream: number): PlainEvent {
    return new PlainEvent('server', this.#writer, eventSiblings(stream));
  }

  /** The same, of what one side says in the body of an exchange. */
  plainBodies(from: Side, stream: number): PlainEvent {
    return new PlainEvent(from, this.#writer, bodySiblings(stream));
  }

  /** Ends the tape as soon as no exchange is under way. */
  end(reason: string): void {
    this.#ending = reason;
    if (this.isIdle) this.stop(reason);
  }

  /** Ends the tape now. */
  stop(reason: string): void {
    this.#writer.end(reason);
  }

  /** Moves the tape to the name that `name` makes of its first one. */
  rename(name: (path: string) => string): void {
    this.#writer.rename(name);
  }
}
