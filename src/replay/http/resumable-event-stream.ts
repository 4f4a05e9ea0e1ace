import type { CloseFrame, SseFields } from '../../channel/frame.ts';
import type { HttpResponseWriter } from './http-response-writer-types.ts';

/** A sent event that a client may request again. */
export interface LoggedEvent {
  stream: ResumableEventStream;
  data: string | undefined;
  sse: SseFields & { id: string };
}

/** Maximum number of stored events per session. The oldest event is dropped first. */
const EVENTS_MAX = 10_000;

/** Events of a session in order, by their unique ids (2025-03-26, "Resumability and Redelivery"). */
export class EventLog {
  /** Oldest first. */
  readonly #events = new Map<string, LoggedEvent>();
  #issued = 0;

  /** Returns an unused event id: `recorded`, or a variant if this session has sent it already. */
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
  after(id: string): { stream: ResumableEventStream; missed: LoggedEvent[] } | undefined {
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

/** An SSE stream to a client. If its events have ids, the stream can continue on a new connection. */
export class ResumableEventStream {
  readonly #log: EventLog;
  /** Response that carries the stream. Undefined between two connections. */
  #reply: HttpResponseWriter | undefined;
  #isOver = false;
  /** Whether events have ids, so that a client can resume the stream. */
  isResumable = false;

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Whether a client is connected. */
  get isHeard(): boolean {
    return this.#reply !== undefined;
  }

  /** Connects a client, and sends it the missed events first. */
  begin(
    reply: HttpResponseWriter,
    headers: Readonly<Record<string, string>>,
    missed: readonly LoggedEvent[] = [],
  ): void {
    this.#reply?.end();
    this.#reply = reply;
    reply.stream(headers);
    for (const { data, sse } of missed) reply.event(data, sse);
    if (this.#isOver) reply.end();
  }

  /** Sends one event. The event gets an id if its recording or an earlier event of the stream has one. */
  send(data: string | undefined, recorded: SseFields = {}): void {
    const like = recorded.id ?? (this.isResumable ? UNRECORDED : undefined);
    if (like === undefined) return this.#reply?.event(data, recorded);
    this.isResumable = true;
    const sse = { ...recorded, id: this.#log.issue(like) };
    this.#log.add({ stream: this, data, sse });
    this.#reply?.event(data, sse);
  }

  /** Sends bytes that cannot be requested again. */
  write(data: Uint8Array): void {
    this.#reply?.write(data);
  }

  /** Closes or breaks the connection. The client may reconnect. */
  close(how: NonNullable<CloseFrame['how']> = 'end'): void {
    if (how === 'end') this.#reply?.end();
    else this.#reply?.abort(how);
    this.#reply = undefined;
  }

  /** Ends the stream. */
  end(): void {
    this.#isOver = true;
    this.close();
  }

  /** Notes that the connection of `reply` was closed. */
  lost(reply: HttpResponseWriter): void {
    if (this.#reply === reply) this.#reply = undefined;
  }
}
