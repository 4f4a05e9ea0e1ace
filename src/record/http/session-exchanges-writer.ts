import { bodySiblings, eventSiblings } from '../../cassette/write/format-event.ts';
import type { Frame, Side } from '../../channel/frame.ts';
import { placeholderOf } from '../../redact/replace/placeholder-format.ts';
import type { ObservedAuthorization } from '../authorization/observed-authorization.ts';
import { authorizationFrame } from '../authorization/redact-authorization.ts';
import type { CassetteWriter } from '../writer/cassette-writer.ts';
import { FastMessageWriter } from '../writer/fast-message-writer.ts';

/** State that all exchanges of one cassette share. */
export interface SessionFacts {
  /** Negotiated revisions. */
  revisions: Set<string>;
  /** Whether the session uses HTTP with SSE (2024-11-05), in which responses arrive on a separate stream. */
  isLegacySse: boolean;
  /** Authorization scheme of the latest request. */
  scheme?: string | undefined;
}

/** Recording of one session. Each exchange gets a separate stream number. */
export class SessionExchangesWriter {
  facts: SessionFacts;
  readonly #writer: CassetteWriter;
  #streams = 0;
  #under = 0;
  #ending: string | undefined;

  constructor(writer: CassetteWriter, facts: SessionFacts) {
    this.#writer = writer;
    this.facts = facts;
  }

  /** Adds an exchange. Returns its stream number. */
  join(): number {
    this.#under++;
    return ++this.#streams;
  }

  /** Removes an exchange. After the end of the session, the last exchange closes the cassette. */
  leave(): void {
    this.#under--;
    if (this.#ending !== undefined) this.end(this.#ending);
  }

  /** Whether all exchanges have ended. */
  get isIdle(): boolean {
    return this.#under === 0;
  }

  /** Registers the credentials of a request, before its response is written. */
  learnHeaders(headers: readonly string[]): void {
    this.#writer.redactor?.learnHeaders(headers);
  }

  write(frame: Frame): void {
    this.#writer.write(frame);
  }

  /** Writes an exchange of an authorization flow, with placeholders in place of its secrets. */
  writeAuthorization({ exchange, at, headers }: ObservedAuthorization): void {
    const { redactor } = this.#writer;
    this.learnHeaders(headers);
    const conceal = (name: string, secret: string) => redactor?.secret(name, secret) ?? placeholderOf(name, 1);
    this.write(authorizationFrame(exchange, at, conceal));
  }

  /** Creates a fast writer for the events of one stream. */
  plainEvents(stream: number): FastMessageWriter {
    return new FastMessageWriter('server', this.#writer, eventSiblings(stream));
  }

  /** Creates the same writer for an event with an id. Undefined: the id may contain a secret. */
  plainEvent(stream: number, id: string): FastMessageWriter | undefined {
    const { redactor } = this.#writer;
    if (redactor !== undefined && redactor.text(id) !== id) return undefined;
    return new FastMessageWriter('server', this.#writer, eventSiblings(stream, { id }));
  }

  /** Creates a fast writer for message bodies of one side of an exchange. */
  plainBodies(from: Side, stream: number): FastMessageWriter {
    return new FastMessageWriter(from, this.#writer, bodySiblings(stream));
  }

  /** Ends the cassette once all exchanges have ended. */
  end(reason: string): void {
    this.#ending = reason;
    if (this.isIdle) this.stop(reason);
  }

  /** Ends the cassette immediately. */
  stop(reason: string): void {
    this.#writer.end(reason);
  }

  /** Renames the cassette. `name` maps its original name to the new one. */
  rename(name: (path: string) => string): void {
    this.#writer.rename(name);
  }
}
