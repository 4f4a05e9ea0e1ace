import type { Frame, WireFrame } from '../../channel/frame.ts';
import { type Random, seededRandom } from '../../kernel/random.ts';
import type { FaultInstance } from '../fault.ts';
import type { Rule } from '../rules/fault-rule.ts';
import { excludes, selects, type When } from '../rules/when.ts';
import { idOf, type Noted } from './fired-fault.ts';
import type { MatchCounter } from './match-counter.ts';
import type { FrameContext } from './request-tracker.ts';
import type { Unfired } from './unfired-rule.ts';

export interface ActiveRuleOptions {
  rule: Rule;
  /** Position of the rule, from 1. */
  number: number;
  seed: number;
  /** Decides which matches fire. Several injectors may share it. */
  counter: MatchCounter;
  /** Passes a frame to the next rule. */
  next(frame: WireFrame): void;
  /** Starts the fault for one HTTP stream, or for the whole session. */
  start(random: Random, stream: number | undefined): FaultInstance;
}

/** Reason of a rule that never fired, because its message did not reach it. */
const KEPT = 'an earlier rule took the message';

/** Rule of one side, linked to the next rule of that side. */
export class ActiveRule {
  readonly number: number;
  readonly rule: Rule;
  readonly when: When;
  readonly next: (frame: WireFrame) => void;
  /** Number of times that the rule fired in this injector. */
  fires = 0;
  /** Number of frames that the fault accepted and could change. */
  #taken = 0;
  #unchanged: string | undefined;
  /** Frames that the fault accepted but has not changed yet. */
  readonly #waiting = new WeakMap<Frame, Noted>();
  /** Most recent frame in `#waiting`. Absent: the fault does not await an event. */
  waiting: Noted | undefined;
  /** The first frame that the rule matched, and that lacked the target of the fault. */
  lacking: Noted | undefined;
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
    // The counter draws from the rule's other sequence.
    const random = seededRandom(seed, 2 * number - 1);
    this.#start = (stream) => start(random, stream);
  }

  /** Returns the rule if the rule never fired in this injector, together with the known reason. */
  get unfired(): Unfired | undefined {
    if (this.fires > 0) return undefined;
    const { awaits, lacking } = this.rule.fault.kind;
    const why = this.#unchanged ?? (this.#taken > 0 ? (awaits ?? KEPT) : this.lacking && lacking);
    return { rule: this.number, ...(why !== undefined && { why }) };
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

  /** Removes the fault instance of a stream that has ended. */
  forget(stream: number): void {
    this.#segments.delete(stream);
  }

  /** Reports whether a frame, which is or follows a message of its side, matches the rule. */
  matches(frame: Frame, subject: FrameContext, { message, line }: Pick<Noted, 'message' | 'line'>): boolean {
    const { when } = this;
    const { kind, values } = this.rule.fault;
    if (!selects(when, frame, subject)) return false;
    if (when.after !== undefined && message <= when.after) return false;
    if (when.line !== undefined && line !== when.line) return false;
    if (kind.concerns?.(frame, values) === false) {
      const { from, stream } = frame;
      this.lacking ??= { from, message, line, method: subject.method, id: idOf(frame), stream };
      return false;
    }
    return true;
  }

  /** Counts a match, and reports whether the rule fires on it. */
  count(): boolean {
    if (this.#isSpent || !this.#counter.count()) return false;
    this.#taken++;
    return true;
  }

  /** Returns the reason why the fault cannot change a frame. */
  whyUnchanged(segment: FaultInstance, frame: Frame): string | undefined {
    if (this.rule.fault.kind.isOfMessages && frame.kind !== 'message') return 'there was no message to change';
    return segment.unchanged?.(frame);
  }

  /** Records a frame that the fault accepted but has not changed yet. */
  wait(frame: Frame, noted: Noted): void {
    this.#waiting.set(frame, noted);
    this.waiting = noted;
  }

  /** Returns the details of a frame of {@link wait}, once. */
  settle(frame: Frame): Noted | undefined {
    const noted = this.#waiting.get(frame);
    this.#waiting.delete(frame);
    return noted;
  }

  /** Notes that the fault changes something about a frame that it took. */
  fire(): void {
    this.fires++;
    this.#counter.happened++;
  }

  /** Notes that the fault changed nothing about a frame that it took. Returns whether this is the first time. */
  takeBack(why: string): boolean {
    const isFirst = this.#unchanged === undefined;
    this.#taken--;
    this.#unchanged ??= why;
    this.#counter.takeBack(why);
    return isFirst;
  }

  /**
   * Reports whether the rule passes, without a trace, any notification of this method that is unrelated to a request on
   * this stream.
   */
  letsPass(method: string, stream: number | undefined): boolean {
    if (!this.#isSpent && !excludes(this.when, method, stream)) return false;
    const segment = this.segment(stream);
    return segment.pass === undefined || segment.isIdle === true;
  }

  /** Reports whether the rule fires when the server starts. */
  takesStart(): boolean {
    return this.when.kind === 'start' && this.count();
  }

  /** A fault's own limit applies to each injector separately, because each injector starts the fault anew. */
  get #isSpent(): boolean {
    return this.#taken >= this.#timesMax || this.#counter.isSpent;
  }
}
