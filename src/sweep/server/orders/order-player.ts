import type { Cassette } from '../../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../../kernel/clock.ts';
import type { Ignore } from '../../../match/ignore-rules.ts';
import { isRequest } from '../../../protocol/message.ts';
import { concurrentMessages } from '../../orders/concurrent-messages.ts';
import type { OrderedMessage } from '../../orders/ordered-message.ts';
import { type InFlightWindows, inFlightWindows } from '../in-flight-window.ts';
import { type PlayedSession, playSession } from '../play-session.ts';
import type { ServerUnderTest } from '../server-under-test-types.ts';
import { asRecorded, type ReorderedSession, reorderSession } from './reorder-session.ts';
import type { ServerOrderCase } from './server-order-cases.ts';

/**
 * Time between two messages over HTTP, where each has a connection of its own: a part of the shortest time to an answer, so
 * that the requests are still in flight at once.
 */
const PAUSE = { part: 1 / 4, least: 2, most: 50 };
const UNHURRIED_PAUSE = { part: 1 / 2, least: 4, most: 200 };
/** The same time in the first session, in which a server is still slow. */
const FIRST_PAUSE: Milliseconds = 100;

export interface OrderPlayerOptions {
  cassette: Cassette;
  target: ServerUnderTest;
  /** All messages of the client that have an order. */
  messages: readonly OrderedMessage[];
  ignore: readonly Ignore[];
  clock: Clock;
  /** Time limit for one answer, and for the exit of the server process. */
  deadline: Milliseconds;
}

/** Session with messages in another order. */
export interface PlayedOrder {
  /** The session, with its entries numbered as recorded. */
  session: PlayedSession;
  /** The same session, as played. */
  played: PlayedSession;
  reordered: ReorderedSession;
}

/** Plays the recorded client to a server, with its messages in the recorded order, in other orders, or one by one. */
export class OrderPlayer {
  readonly #options: OrderPlayerOptions;
  /** Lines of the requests that have another order, too. */
  readonly #paced: ReadonlySet<number>;
  #inFlight: InFlightWindows = new Map();
  #ordinary: PlayedSession | undefined;
  /** Time limit for one answer, and for the exit of the server process. */
  deadline: Milliseconds;

  constructor(options: OrderPlayerOptions) {
    this.#options = options;
    this.deadline = options.deadline;
    const { cassette, messages } = options;
    const requests = new Set(
      cassette.events.flatMap(({ frame, line }) =>
        frame.kind === 'message' && isRequest(frame.json.value) ? [line] : [],
      ),
    );
    const lines = concurrentMessages(messages).flatMap((group) => group.messages.map(({ line }) => line));
    this.#paced = new Set(lines.filter((line) => requests.has(line)));
  }

  /** Plays a session in the recorded order. */
  async playRecorded(): Promise<PlayedSession> {
    const { messages, cassette } = this.#options;
    const played = await this.#play(reorderSession(cassette, { messages, order: [] }), false);
    this.#inFlight = inFlightWindows([played], this.#inFlight);
    this.#ordinary ??= played;
    return played;
  }

  /** Plays a session with messages in another order, after one in the recorded order. */
  async playOrder({ order, isUnhurried }: Pick<ServerOrderCase, 'order' | 'isUnhurried'>): Promise<PlayedOrder> {
    const { messages, cassette } = this.#options;
    const reordered = reorderSession(cassette, { messages, order });
    const played = await this.#play(reordered, isUnhurried);
    return { session: this.#asRecorded(played, reordered), played, reordered };
  }

  /** Plays a session in which each request follows the answer to the one before. */
  async playOneByOne(order: readonly OrderedMessage[]): Promise<PlayedSession> {
    const { messages, cassette, ...options } = this.#options;
    const reordered = reorderSession(cassette, { messages, order, isOneByOne: true });
    const played = await playSession({ ...options, cassette: reordered.cassette, deadline: this.deadline });
    return this.#asRecorded(played, reordered);
  }

  #play(reordered: ReorderedSession, isUnhurried: boolean): Promise<PlayedSession> {
    const { messages: _, ...options } = this.#options;
    const { cassette, moved } = reordered;
    const isHttp = options.target.transport === 'http';
    // Over stdio, a pipe keeps the order of requests.
    const paced = isHttp ? cassette.events.flatMap(({ line }, event) => (this.#paced.has(line) ? [event] : [])) : [];
    const pause = isHttp ? this.#pause(isUnhurried ? UNHURRIED_PAUSE : PAUSE) : 0;
    const order = { events: new Set([...moved, ...paced]), pause };
    return playSession({ ...options, cassette, deadline: this.deadline, order });
  }

  #pause({ part, least, most }: typeof PAUSE): Milliseconds {
    const { events } = this.#options.cassette;
    const paced = [...this.#inFlight].filter(([event]) => this.#paced.has(events[event]?.line ?? -1));
    const shortest = Math.min(...paced.map(([, { duration }]) => duration));
    return paced.length === 0 ? FIRST_PAUSE : Math.min(most, Math.max(least, part * shortest));
  }

  #asRecorded(played: PlayedSession, reordered: ReorderedSession): PlayedSession {
    return asRecorded(played, reordered, this.#ordinary!.run.plan);
  }
}
