import type { Frame, WireFrame } from '../../channel/frame.ts';
import { type Random, seededRandom } from '../../kernel/random.ts';
import type { FaultInstance } from '../fault.ts';
import type { Rule } from '../rules/fault-rule.ts';
import { excludes, selects, type When } from '../rules/when.ts';
import type { MatchCounter } from './match-counter.ts';
import type { FrameContext } from './request-tracker.ts';

export interface ActiveRuleOptions {
  rule: Rule;
  /** Position of the rule, from 1. */
  number: number;
  seed: number;
  /** Decides which matches fire. It may be that of other injectors, too. */
  counter: MatchCounter;
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
  /** How often it has fired here. */
  fires = 0;
  readonly #counter: MatchCounter;
  readonly #start: (stream: number | undefined) => FaultInstance;
  readonly #segments = new Map<number | undefined, FaultInstance>();
  readonly #timesMax: number;

  constructor({ rule, number, seed, counter, next, start }: ActiveRuleOptions) {
    this.rule = rule;
    this.number = number;
    this.next = next;
    this.when = { ...rule.fault.kind.when, ...rule.when };
    this.#timesMax = rule.times ?? rule.fault.kind.times ?? Number.POSITIVE_INFINITY;
    this.#counter = counter;
    // The counter draws from the other sequence of the rule.
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
    const { kind, values } = this.rule.fault;
    if (!selects(when, frame, subject) || kind.concerns?.(frame, values) === false) return false;
    if (when.after !== undefined && position <= when.after) return false;
    return this.#fires();
  }

  /** Whether any notification of this method that reports on no request would pass on this stream, and leave nothing behind. */
  letsPass(method: string, stream: number | undefined): boolean {
    if (!this.#isSpent && !excludes(this.when, method, stream)) return false;
    const segment = this.segment(stream);
    return segment.pass === undefined || segment.isIdle === true;
  }

  /** Whether the rule fires as the server is there. */
  fireAtStart(): boolean {
    return this.when.kind === 'start' && this.#fires();
  }

  /** A fault's own limit is that of each injector, as each has a start of its own. */
  get #isSpent(): boolean {
    return this.fires >= this.#timesMax || this.#counter.isSpent;
  }

  #fires(): boolean {
    if (this.#isSpent || !this.#counter.count()) return false;
    this.fires++;
    return true;
  }
}
