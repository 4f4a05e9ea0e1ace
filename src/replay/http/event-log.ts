import type { SseFields } from '../../channel/frame.ts';
import type { EventStream } from './event-stream.ts';

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
