import type { Channel } from '../channel/channel.ts';
import type { Headers, WireFrame } from '../channel/frame.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import { errorOf, type Id, isNotification, isObject, isRequest, isResponse } from '../protocol/message.ts';
import { type Journal, journalOf } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';

/** How a message came. */
export interface Delivery {
  headers?: Headers;
  session?: number;
}

/** What clients send, and what the server asks them, written down as it passes. */
export class MessageLog {
  readonly journal: Journal;
  #entries: JournalEntry[] = [];
  readonly #watchers = new Set<() => void>();
  /** Session and id of a request of the server → its method. */
  readonly #asked = new Map<string, string>();

  constructor(clock: Clock) {
    this.journal = journalOf({
      clock,
      entries: () => this.#entries,
      reset: () => {
        // Who holds the former list keeps it.
        this.#entries = [];
      },
      watch: (changed) => this.#watch(changed),
    });
  }

  /** Takes a frame of either side, which passes in `session`. */
  frame(frame: WireFrame, delivery: Delivery): void {
    if (frame.kind !== 'message') return;
    if (frame.from === 'client') this.fromClient(frame.json.value, delivery);
    else this.fromServer(frame.json.value, delivery);
  }

  /** The client's end of a channel, all of which is written down before it goes on its way. */
  tapped(channel: Channel, session = 1): Channel {
    return {
      ...channel,
      listen: (receive) =>
        channel.listen((frame) => {
          this.frame(frame, { session });
          receive(frame);
        }),
      send: (frame) => {
        this.frame(frame, { session });
        return channel.send(frame);
      },
    };
  }

  /** Takes a message of a client, or a batch of them. */
  fromClient(value: unknown, delivery: Delivery): void {
    const came = elements(value).flatMap((message) => this.#entry(message, delivery));
    if (came.length === 0) return;
    this.#entries.push(...came);
    for (const changed of [...this.#watchers]) changed();
  }

  /** Takes a message of the server, or a batch of them: its requests name what is answered later. */
  fromServer(value: unknown, { session }: Delivery): void {
    for (const message of elements(value))
      if (isRequest(message)) this.#asked.set(keyOf(session, message.id), message.method);
  }

  #watch(changed: () => void): Cancel {
    this.#watchers.add(changed);
    return () => void this.#watchers.delete(changed);
  }

  #entry(message: unknown, delivery: Delivery): JournalEntry[] {
    if (isRequest(message)) {
      const { method, params, id } = message;
      return [{ kind: 'request', method, ...(isObject(params) && { params }), id, message, ...delivery }];
    }
    if (isNotification(message)) {
      const { method, params } = message;
      return [{ kind: 'notification', method, ...(isObject(params) && { params }), message, ...delivery }];
    }
    if (!isResponse(message)) return [];
    const { id, result } = message;
    const error = errorOf(message);
    const to = id === undefined || id === null ? undefined : this.#asked.get(keyOf(delivery.session, id));
    return [
      {
        kind: 'answer',
        ...(to !== undefined && { to }),
        ...(id !== undefined && { id }),
        ...(isObject(result) && { result }),
        ...(error !== undefined && { error }),
        message,
        ...delivery,
      },
    ];
  }
}

function elements(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** 1 and "1" are two ids. */
function keyOf(session: number | undefined, id: Id): string {
  return `${session ?? ''} ${JSON.stringify(id)}`;
}
