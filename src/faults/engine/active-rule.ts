import type { Frame, WireFrame } from '../../channel/frame.ts';
import { type Random, seededRandom } from '../../kernel/random.ts';
import type { FaultInstance } from '../fault.ts';
import type { Rule } from '../rules/fault-rule.ts';
import { excludes, selects, type When } from '../rules/when.ts';
import type { FrameContext } from './request-tracker.ts';

export interface ActiveRuleOptions {
  rule: Rule;
  /** Position of the rule, from 1. */
  number: number;
  seed: number;
  /** Passes a frame to the next link. */
  next(frame: WireFrame): void;
  /** Starts the fault for one HTTP stream, or for the whole connection. */
  start(random: Random, stream: number | undefined): FaultInstance;
}

/** A rule at its place in the way of one side's frames. */
export class ActiveRule {
  readonly number: number;
  readonly rule: Rule;
  readonly when: When;
  readonly next: (frame: WireFrame) => void;
  fires = 0;
  readonly #start: (stream: number | undefined) => FaultInstance;
  readonly #segments = new Map<number | undefined, FaultInstance>();
  /** Decides by the rule's probability. */
  readonly #chance: Random;
  readonly #timesMax: number;
  #matches = 0;

  constructor({ rule, number, seed, next, start }: ActiveRuleOptions) {
    this.rule = rule;
    this.number = number;
    this.next = next;
    this.when = { ...rule.fault.kind.when, ...rule.when };
    this.#timesMax = rule.times ?? rule.fault.kind.times ?? Number.POSITIVE_INFINITY;
    // Each rule draws from two sequences of its own, so that one more rule never shifts another.
    this.#chance = seededRandom(seed, 2 * number - 2);
    const random = seededRandom(seed, 2 * number - 1);
    this.#start = (stream) => start(random, stream);
  }

  /** Returns the fault instance for frames of this stream. */
  segment(stream: number | undefined): FaultInstance {
    const key = this.rule.fault.kind.span === 'session' ? undefined : stream;
    const known = this.#segments.get(key);
    if (known) return known;
    const segment = this.#start(key);
    this.#segments.set(key, segment);
    return segment;
  }

  /** Nothing more comes of this stream. */
  forget(stream: number): void {
    this.#segments.delete(stream);
  }

  /** Whether the rule fires on a frame, the `position`-th message of its side. */
  fire(frame: Frame, subject: FrameContext, position: number): boolean {
    const { when } = this;
    if (!selects(when, frame, subject)) return false;
    if (when.after !== undefined && position <= when.after) return false;
    return this.#fires();
  }

  /** Whether any notification of this method that reports on no request would pass on this stream, and leave nothing behind. */
  letsPass(method: string, stream: number | undefined): boolean {
    if (this.fires < this.#timesMax && !excludes(this.when, method, stream)) return false;
    const segment = this.segment(stream);
    return segment.pass === undefined || segment.isIdle === true;
  }

  /** Whether the rule fires as the server is there. */
  fireAtStart(): boolean {
    return this.when.kind === 'start' && this.#fires();
  }

  #fires(): boolean {
    this.#matches++;
    if (this.when.nth !== undefined && this.#matches !== this.when.nth) return false;
    if (this.fires >= this.#timesMax) return false;
    if (this.#chance() >= (this.rule.probability ?? 1)) return false;
    this.fires++;
    return true;
  }
}
