import type { Cassette } from '../../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../../kernel/clock.ts';
import type { Ignore } from '../../../match/ignore-rules.ts';
import { isRequest } from '../../../protocol/message.ts';
import { concurrentMessages } from '../../orders/concurrent-messages.ts';
import type { OrderedMessage } from '../../orders/ordered-message.ts';
import { type PlayedSession, playSession } from '../play-session.ts';
import type { ServerUnderTest } from '../server-under-test-types.ts';
import { asRecorded, type ReorderedSession, reorderSession } from './reorder-session.ts';
import { RequestDurations } from './request-durations.ts';
import type { ServerOrderCase } from './server-order-cases.ts';

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
  readonly #durations = new RequestDurations();
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
    this.#durations.add(played);
    return this.#asRecorded(played, reordered);
  }

  #play(reordered: ReorderedSession, isUnhurried: boolean): Promise<PlayedSession> {
    const { messages: _, ...options } = this.#options;
    const { cassette, moved } = reordered;
    const isHttp = options.target.transport === 'http';
    // A pipe keeps the order of messages. Over HTTP, each has a connection of its own.
    const paced = isHttp ? cassette.events.flatMap(({ line }, event) => (this.#paced.has(line) ? [event] : [])) : [];
    const pauseAfter = (event: number) =>
      isHttp ? this.#durations.pauseAfter(cassette.events[event]!.line, isUnhurried) : 0;
    const pauses = new Map([...moved, ...paced].map((event) => [event, pauseAfter(event)]));
    return playSession({ ...options, cassette, deadline: this.deadline, order: { pauses } });
  }

  #asRecorded(played: PlayedSession, reordered: ReorderedSession): PlayedSession {
    return asRecorded(played, reordered, this.#ordinary!.run.plan);
  }
}
