import type { CloseFrame, SseFields } from '../../channel/frame.ts';
import type { ReplyWriter } from './reply-writer.ts';

/** An event that a client may ask for again. */
export interface LoggedEvent {
  stream: EventStream;
  data: string | undefined;
  sse: SseFields & { id: string };
}

/** What has an id, and was said longer ago, cannot be asked for any more. */
const EVENTS_MAX = 10_000;

/** Events of a session in order, by their unique ids (2025-03-26, "Resumability and Redelivery"). */
export class EventLog {
  /** Oldest first. */
  readonly #events = new Map<string, LoggedEvent>();
  #issued = 0;

  /** An id like `recorded`: that one, unless this session has used it. */
  issue(recorded: string): string {
    let id = recorded;
    while (this.#events.has(id)) id = `${recorded}.${++this.#issued}`;
    return id;
  }

  add(event: LoggedEvent): void {
    this.#events.set(event.sse.id, event);
    if (this.#events.size <= EVENTS_MAX) return;
    const [oldest] = this.#events.keys();
    this.#events.delete(oldest!);
  }

  get isEmpty(): boolean {
    return this.#events.size === 0;
  }

  /** Returns the stream of event `id` and its later events; undefined if the id is unknown or too old. */
  after(id: string): { stream: EventStream; missed: LoggedEvent[] } | undefined {
    const event = this.#events.get(id);
    if (event === undefined) return undefined;
    const { stream } = event;
    const all = [...this.#events.values()];
    const missed = all.slice(all.indexOf(event) + 1).filter((one) => one.stream === stream);
    return { stream, missed };
  }
}

/** Prefix of event ids that the cassette lacks, in streams with ids. */
const UNRECORDED = 'mcp-record';

/** A stream of events to a client, which may go on after its connection was closed if its events have ids. */
export class EventStream {
  readonly #log: EventLog;
  /** Where it is heard; undefined between two connections. */
  #reply: ReplyWriter | undefined;
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
  begin(reply: ReplyWriter, headers: Readonly<Record<string, string>>, missed: readonly LoggedEvent[] = []): void {
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
  lost(reply: ReplyWriter): void {
    if (this.#reply === reply) this.#reply = undefined;
  }
}
