import { bodySiblings, eventSiblings } from '../../cassette/write/format-event.ts';
import type { Frame, Side } from '../../channel/frame.ts';
import type { CassetteWriter } from '../writer/cassette-writer.ts';
import { FastMessageWriter } from '../writer/fast-message-writer.ts';

/** State that all exchanges of one cassette share. */
export interface SessionFacts {
  /** Revisions that were negotiated. */
  revisions: Set<string>;
  /** HTTP with SSE (2024-11-05): no POST is answered by itself. */
  isLegacySse: boolean;
  /** How the client last authorized itself: the scheme alone. */
  scheme?: string | undefined;
}

/** Writes the cassette of one session. Each exchange gets a stream number of its own. */
export class SessionRecording {
  facts: SessionFacts;
  readonly #writer: CassetteWriter;
  #streams = 0;
  #under = 0;
  #ending: string | undefined;

  constructor(writer: CassetteWriter, facts: SessionFacts) {
    this.#writer = writer;
    this.facts = facts;
  }

  /** An exchange joins: the number of its stream. */
  join(): number {
    this.#under++;
    return ++this.#streams;
  }

  /** An exchange is over. The last one after the end takes the cassette along. */
  leave(): void {
    this.#under--;
    if (this.#ending !== undefined) this.end(this.#ending);
  }

  /** Whether no exchange is under way. */
  get isIdle(): boolean {
    return this.#under === 0;
  }

  /** Learns the credentials of a request before anything that answers it is written. */
  learnHeaders(headers: readonly string[]): void {
    this.#writer.redactor?.learnHeaders(headers);
  }

  write(frame: Frame): void {
    this.#writer.write(frame);
  }

  /** The short way to the cassette, of the events of one stream. */
  plainEvents(stream: number): FastMessageWriter {
    return new FastMessageWriter('server', this.#writer, eventSiblings(stream));
  }

  /** Returns the same writer for an event with an id; undefined where the id may hold a secret. */
  plainEvent(stream: number, id: string): FastMessageWriter | undefined {
    if (this.#writer.redactor?.suspicious(id) !== undefined) return undefined;
    return new FastMessageWriter('server', this.#writer, eventSiblings(stream, { id }));
  }

  /** Returns the same writer for messages in the bodies of one side of an exchange. */
  plainBodies(from: Side, stream: number): FastMessageWriter {
    return new FastMessageWriter(from, this.#writer, bodySiblings(stream));
  }

  /** Ends the cassette as soon as no exchange is under way. */
  end(reason: string): void {
    this.#ending = reason;
    if (this.isIdle) this.stop(reason);
  }

  /** Ends the cassette now. */
  stop(reason: string): void {
    this.#writer.end(reason);
  }

  /** Moves the cassette to the name that `name` makes of its first one. */
  rename(name: (path: string) => string): void {
    this.#writer.rename(name);
  }
}
