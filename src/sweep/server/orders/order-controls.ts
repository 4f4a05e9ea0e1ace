import { describeDifference } from '../../../match/json-difference.ts';
import type { OrderedMessage } from '../../orders/ordered-message.ts';
import { type Baseline, baselineOf } from '../judge/baseline.ts';
import { changedAnswersOf } from '../judge/changed-answers.ts';
import type { Attempt } from '../judge/evidence-types.ts';
import { damageOf } from '../judge/lasting-damage.ts';
import type { PlayedSession } from '../play-session.ts';
import { ordersOneByOne } from './orders-one-by-one.ts';

export interface OrderControlsOptions {
  /** All messages of the client that have an order. */
  messages: readonly OrderedMessage[];
  /** Plays a session in which each request follows the answer to the one before. Undefined: nobody can connect. */
  playOneByOne(order: readonly OrderedMessage[]): Promise<PlayedSession | undefined>;
  /** Plays a session in the recorded order. Undefined: nobody can connect. */
  playRecorded(): Promise<PlayedSession | undefined>;
}

/** What is known of a server over HTTP before it gets an order. */
export interface OrderControl {
  /** Baseline that has what the server stored for good until now. */
  baseline: Baseline;
  /** Why the order changes later answers when the requests are made one after the other. Undefined: it does not. */
  stored: string | undefined;
  /** One request after the other is enough to damage the server. */
  damaging?: Attempt;
}

/**
 * Plays each order with one request after the other before it is played with requests in flight at once. A server over HTTP
 * serves all sessions, and what it stores for good then is no damage.
 */
export class OrderControls {
  readonly #options: OrderControlsOptions;
  /** Order → why it changes later answers. */
  readonly #played = new Map<string, string | undefined>();

  constructor(options: OrderControlsOptions) {
    this.#options = options;
  }

  /** Plays the controls of an order that have not been played yet: the first time also those of similar orders. */
  async before(order: readonly OrderedMessage[], known: Baseline): Promise<OrderControl> {
    const [own = order, ...similar] = ordersOneByOne(this.#options.messages, order);
    const others = this.#played.size === 0 ? similar : [];
    let baseline = known;
    for (const one of [own, ...others]) {
      const name = nameOf(one);
      if (this.#played.has(name)) continue;
      const { stored, damaging, baseline: next } = await this.#play(one, baseline);
      this.#played.set(name, stored);
      baseline = next;
      if (damaging) return { baseline, stored, damaging };
    }
    return { baseline, stored: this.#played.get(nameOf(own)) };
  }

  async #play(order: readonly OrderedMessage[], known: Baseline): Promise<OrderControl> {
    const { playOneByOne, playRecorded } = this.#options;
    const faulty = await playOneByOne(order);
    const fresh = faulty && (await playRecorded());
    const unchanged = { baseline: known, stored: undefined };
    if (faulty === undefined) return unchanged;
    const damage = fresh && damageOf(fresh, known);
    if (fresh && damage === undefined) return unchanged;
    const damaging: Attempt = { faulty: { ...faulty, hasFired: true }, fresh };
    if (fresh === undefined || damage!.unanswered.size > 0) return { ...unchanged, damaging };
    const [change] = changedAnswersOf(fresh, known);
    const second = await playRecorded();
    if (second === undefined) return { ...unchanged, damaging: { ...damaging, fresh: second } };
    const { title, difference } = change!;
    return {
      // What has changed for good is compared from now on, too.
      baseline: baselineOf([fresh, second], { ...known, answers: new Map() }),
      stored: `${title} gets another answer on the next connection, for example with ${describeDifference(difference)}`,
    };
  }
}

function nameOf(order: readonly OrderedMessage[]): string {
  return order.map(({ message }) => message).join();
}
