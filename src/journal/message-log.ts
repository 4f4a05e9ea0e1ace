import type { Channel } from '../channel/channel.ts';
import type { WireFrame } from '../channel/frame.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import { type JsonText, mayHaveMember } from '../protocol/json-text.ts';
import { errorOf, type Id, isNotification, isObject, isRequest, isResponse } from '../protocol/message.ts';
import { InputRequestMethods, inputRequestsIn } from './input-requests.ts';
import { type Journal, journalOf } from './journal.ts';
import type { Delivery, JournalEntry } from './journal-entry.ts';

/** Logs clients' messages, and the server's requests that they answer. */
export class MessageLog {
  readonly journal: Journal;
  #entries: JournalEntry[] = [];
  /** Client messages that become entries when the journal is read. A text takes a third of the memory of an entry. */
  #unread: { text: string; delivery: Delivery }[] = [];
  readonly #watchers = new Set<() => void>();
  /** Session and id of a server's request → its method. */
  readonly #serverRequests = new Map<string, string>();
  readonly #inputRequests = new InputRequestMethods();

  constructor(clock: Clock) {
    this.journal = journalOf({
      clock,
      entries: () => this.#read(),
      reset: () => {
        // Callers may keep the former list.
        this.#entries = [];
        this.#unread = [];
      },
      watch: (changed) => this.#watch(changed),
    });
  }

  /** Adds a frame of either side. Frames without a message are ignored. */
  addFrame(frame: WireFrame, delivery: Delivery): void {
    if (frame.kind !== 'message') return;
    const mayBe = mayBeRequest(frame.json);
    if (frame.from === 'server') {
      if (mayBe) this.addFromServer(frame.json.value, delivery);
    } else if (mayBe) {
      this.#unread.push({ text: frame.json.text, delivery });
      this.#notify();
    } else this.addFromClient(frame.json.value, delivery);
  }

  /** Returns the client's end of a channel, whose frames are logged before they are passed on. */
  tap(channel: Channel, session = 1): Channel {
    return {
      ...channel,
      listen: (receive) =>
        channel.listen((frame) => {
          this.addFrame(frame, { session });
          receive(frame);
        }),
      send: (frame) => {
        this.addFrame(frame, { session });
        return channel.send(frame);
      },
    };
  }

  /** Adds a message of a client, or a batch. */
  addFromClient(value: unknown, delivery: Delivery): void {
    this.#add(this.#read(), value, delivery);
    this.#notify();
  }

  /** Adds requests of the server, single or in a batch. */
  addFromServer(value: unknown, { session }: Delivery): void {
    for (const message of messagesOf(value))
      if (isRequest(message)) this.#serverRequests.set(keyOf(session, message.id), message.method);
      else this.#inputRequests.add(message, session);
  }

  /** Returns the entries of all messages. */
  #read(): JournalEntry[] {
    for (const { text, delivery } of this.#unread.splice(0)) this.#add(this.#entries, JSON.parse(text), delivery);
    return this.#entries;
  }

  #add(entries: JournalEntry[], value: unknown, delivery: Delivery): void {
    for (const message of messagesOf(value)) {
      const entry = this.#entry(message, delivery);
      if (entry === undefined) continue;
      const answers = this.#inputRequests.answersIn(message, delivery.session);
      entries.push(...answers.map((answer): JournalEntry => ({ kind: 'answer', ...answer, ...delivery })));
      entries.push(entry);
      for (const request of inputRequestsIn(message))
        entries.push({ kind: 'request', ...request, message: { jsonrpc: '2.0', ...request }, ...delivery });
    }
  }

  #notify(): void {
    if (this.#watchers.size === 0) return;
    for (const changed of [...this.#watchers]) changed();
  }

  #watch(changed: () => void): Cancel {
    this.#watchers.add(changed);
    return () => void this.#watchers.delete(changed);
  }

  #entry(message: unknown, delivery: Delivery): JournalEntry | undefined {
    if (isRequest(message)) {
      const { method, params, id } = message;
      return { kind: 'request', method, ...(isObject(params) && { params }), id, message, ...delivery };
    }
    if (isNotification(message)) {
      const { method, params } = message;
      return { kind: 'notification', method, ...(isObject(params) && { params }), message, ...delivery };
    }
    if (!isResponse(message)) return undefined;
    const { id, result } = message;
    const error = errorOf(message);
    const to = id === undefined || id === null ? undefined : this.#serverRequests.get(keyOf(delivery.session, id));
    return {
      kind: 'answer',
      ...(to !== undefined && { to }),
      ...(id !== undefined && { id }),
      ...(isObject(result) && { result }),
      ...(error !== undefined && { error }),
      message,
      ...delivery,
    };
  }
}

/** Reports whether a message may be a request or a notification. Responses of a server are not parsed here. */
function mayBeRequest(json: JsonText): boolean {
  return mayHaveMember(json, 'method');
}

function messagesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Returns a key of session and id. The ids 1 and "1" have different keys. */
function keyOf(session: number | undefined, id: Id): string {
  return `${session ?? ''} ${JSON.stringify(id)}`;
}
