import type { CloseFrame, SseFields } from '../../channel/frame.ts';
import type { EventLog, LoggedEvent } from './event-log.ts';
import type { HttpReply } from './server-exchange.ts';

/** Prefix of event ids that the cassette lacks, in streams with ids. */
const UNRECORDED = 'mcp-record';

/** A stream of events to a client, which may go on after its connection was closed if its events have ids. */
export class EventStream {
  readonly #log: EventLog;
  /** Where it is heard; undefined between two connections. */
  #reply: HttpReply | undefined;
  #isOver = false;
  /** Its events have ids: a client can come back for what it missed. */
  isResumable = false;

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Whether a client hears it. */
  get isHeard(): boolean {
    return this.#reply !== undefined;
  }

  /** A client hears it from now on, and what it missed first. */
  begin(reply: HttpReply, headers: Readonly<Record<string, string>>, missed: readonly LoggedEvent[] = []): void {
    this.#reply?.end();
    this.#reply = reply;
    reply.stream(headers);
    for (const { data, sse } of missed) reply.event(data, sse);
    if (this.#isOver) reply.end();
  }

  /** Sends one event. It gets an id if the cassette has one, or the stream began with one. */
  say(data: string | undefined, recorded: SseFields = {}): void {
    const like = recorded.id ?? (this.isResumable ? UNRECORDED : undefined);
    if (like === undefined) return this.#reply?.event(data, recorded);
    this.isResumable = true;
    const sse = { ...recorded, id: this.#log.issue(like) };
    this.#log.add({ stream: this, data, sse });
    this.#reply?.event(data, sse);
  }

  /** Says what nobody will ask for again. */
  write(data: Uint8Array): void {
    this.#reply?.write(data);
  }

  /** Closes the connection, or loses it: who wants to hear on, comes back. */
  close(how: NonNullable<CloseFrame['how']> = 'end'): void {
    if (how === 'end') this.#reply?.end();
    else this.#reply?.lose(how);
    this.#reply = undefined;
  }

  /** All is said. */
  end(): void {
    this.#isOver = true;
    this.close();
  }

  /** The connection of `reply` is gone. */
  lost(reply: HttpReply): void {
    if (this.#reply === reply) this.#reply = undefined;
  }
}
