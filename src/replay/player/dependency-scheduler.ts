import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import { stallTolerantTimeout } from '../../kernel/stall-tolerant-timeout.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { PlanStep, TriggeredSteps } from '../plan/steps-by-trigger.ts';
import { delayOf, type Timing } from '../timing.ts';
import type { TokenBindings } from '../tokens/token-cursor-rewriter.ts';
import type { ActiveSequence } from './active-sequence.ts';
import { ProgressGap } from './delay-response-after-progress.ts';

export interface SchedulerOptions {
  plan: ReplayPlan;
  clock: Clock;
  timing: Timing;
  /** Sends a step's entry with its sequence's live tokens. Returns false for an unsendable entry, which is skipped. */
  send(part: PlanStep, bindings: TokenBindings): boolean;
  /** Maximum wait of a step for its dependencies. Absent: unlimited. */
  patience?: WaitLimit;
  /** As {@link PlayerOptions.progressGap}. */
  progressGap?: Milliseconds | undefined;
}

/** Limit of every wait. At the limit `over` is called with each missing entry, and the step continues. */
export interface WaitLimit {
  wait: Milliseconds;
  over(part: PlanStep, missing: number): void;
}

const NO_PARTS: readonly PlanStep[] = [];
const NO_RUNS: readonly ActiveSequence[] = [];

/** Delay between a notification and a following response. SDK clients lose a notification in the response's chunk. */
const APART: Milliseconds = 1;

/** Runs the sequences of a plan. Each step waits for its predecessor and its dependencies. */
export class DependencyScheduler {
  readonly #plan: ReplayPlan;
  readonly #clock: Clock;
  readonly #timing: Timing;
  readonly #send: SchedulerOptions['send'];
  readonly #patience: WaitLimit | undefined;
  /** 1 for entries that have happened in this session, by entry index. */
  readonly #happened: Uint8Array;
  /** Entries whose wait timed out. They count as happened. */
  readonly #givenUp = new Set<number>();
  readonly #waiting = new Map<number, { runs: ActiveSequence[]; stop?: Cancel }>();
  readonly #runs = new Set<ActiveSequence>();
  readonly #timers = new Set<Cancel>();
  readonly #timer = {
    now: () => this.#clock.now(),
    after: (delay: Milliseconds, task: () => void) => this.later(delay, task),
  };
  #abandoned: PlanStep[] = [];
  /** Number of delayed sequences. */
  #held = 0;
  #whenIdle: (() => void) | undefined;
  /** Whether a notification was sent in this turn of the event loop. */
  #notified = false;
  readonly #progress: ProgressGap | undefined;
  #stopped = false;

  constructor({ plan, clock, timing, send, patience, progressGap }: SchedulerOptions) {
    if (progressGap !== undefined) this.#progress = new ProgressGap(plan, clock, progressGap);
    this.#plan = plan;
    this.#happened = new Uint8Array(plan.entries.length);
    this.#clock = clock;
    this.#timing = timing;
    this.#send = send;
    this.#patience = patience;
  }

  /** Reports whether an entry of either side has happened in this session. */
  happened(entry: number): boolean {
    return this.#happened[entry] === 1;
  }

  /** Reports whether an entry has happened without a timeout. */
  hasCome(entry: number): boolean {
    return this.happened(entry) && !this.#givenUp.has(entry);
  }

  /** Marks an entry of either side as happened, and continues the sequences that waited for it. */
  happen(entry: number): void {
    this.#happened[entry] = 1;
    this.#givenUp.delete(entry);
    const waiting = this.#waiting.get(entry);
    if (waiting === undefined) return;
    this.#waiting.delete(entry);
    waiting.stop?.();
    for (const run of waiting.runs) this.#advance(run);
  }

  /** Starts the sequences triggered by `entry`, or at the start. Calls `ended` once for each sequence. */
  open(entry: number | undefined, bindings: TokenBindings, ended?: () => void): readonly ActiveSequence[] {
    const sequences = this.#plan.sequences.get(entry);
    if (sequences === undefined) {
      if (entry !== undefined) this.happen(entry);
      return NO_RUNS;
    }
    const answer = this.#onlyAnswer(sequences);
    if (answer && entry !== undefined) this.happen(entry);
    if (answer && this.#isFree(answer)) {
      this.#speak(answer, bindings);
      ended?.();
      return NO_RUNS;
    }
    const runs = sequences.map(
      (sequence): ActiveSequence => ({ sequence, bindings, ended, next: 0, met: 0, held: false, due: -1 }),
    );
    for (const run of runs) this.#runs.add(run);
    if (entry !== undefined) this.happen(entry);
    for (const run of runs) this.#advance(run);
    return runs;
  }

  /** Cancels a sequence, because the live peer cancelled its request. */
  cancel(run: ActiveSequence): void {
    const recorded = this.#plan.links.cancelOf.get(run.sequence.trigger ?? -1);
    run.cancelled = { recorded };
    if (recorded !== undefined) this.happen(recorded);
    this.#advance(run);
  }

  /** Calls back when no step is delayed. */
  whenIdle(task: () => void): void {
    this.#whenIdle = task;
    this.#checkIdle();
  }

  /** Cancels all delayed steps. No more frames are sent. */
  stop(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#stopped = true;
  }

  /** Returns the unsent steps of started sequences. */
  unsaid(): PlanStep[] {
    const left = [...this.#runs].flatMap(({ sequence, next }) => sequence.steps.slice(next));
    return [...this.#abandoned, ...left].filter(({ ambient, entry }) => !ambient || !this.happened(entry));
  }

  #advance(run: ActiveSequence): void {
    const { steps } = run.sequence;
    while (!this.#stopped && !run.held && run.next < steps.length) {
      const part = steps[run.next]!;
      if (this.#passes(run, part)) {
        pass(run);
        continue;
      }
      const blocker = this.#blocker(run, part);
      if (blocker !== undefined) return this.#wait(blocker, run, part);
      this.#speakAmbient(part, run.bindings);
      const delay = this.#delay(run, part);
      if (delay > 0) return this.#hold(run, delay);
      run.held = true;
      this.#speak(part, run.bindings);
      run.held = false;
      pass(run);
    }
    if (this.#stopped || run.held) return;
    if (this.#runs.delete(run)) run.ended?.();
  }

  /**
   * Returns the step of a sequence with a single answer and no dependencies. Most sequences have this form and need no
   * `ActiveSequence`.
   */
  #onlyAnswer(sequences: readonly TriggeredSteps[]): PlanStep | undefined {
    const parts = sequences.length === 1 ? sequences[0]!.steps : NO_PARTS;
    const part = parts[0];
    if (part === undefined || parts.length > 1 || part.ambient || part.needs.length > 0) return undefined;
    return isResponse(this.#plan.entries[part.entry]!.message) ? part : undefined;
  }

  /** Reports whether a step can be sent immediately: no delay applies, and no ambient step precedes it. */
  #isFree({ entry }: PlanStep): boolean {
    if (this.#stopped || this.#timing !== 'instant' || this.#notified) return false;
    return !this.#plan.ambientBefore.has(entry) && !this.#progress?.wait(entry);
  }

  /** Returns the first pending dependency. Dependencies known to have happened are not checked again. */
  #blocker(run: ActiveSequence, { needs }: PlanStep): number | undefined {
    while (run.met < needs.length && this.happened(needs[run.met]!)) run.met++;
    return needs[run.met];
  }

  /** Reports whether a sequence skips a step. */
  #passes({ cancelled }: ActiveSequence, part: PlanStep): boolean {
    // A repeated list request gets its answer again. Ambient frames and the server's own requests are sent only once.
    const isOnce = part.ambient || isRequest(this.#plan.entries[part.entry]!.message);
    if (isOnce && this.happened(part.entry)) return true;
    if (part.ambient) return false;
    if (cancelled === undefined || part.entry > (cancelled.recorded ?? Number.POSITIVE_INFINITY)) return false;
    this.#abandoned.push(part);
    return true;
  }

  /**
   * Sends the ambient steps that precede a step. A cancellation recorded after the peer's answer stays behind until that
   * answer: sent earlier, it would withdraw the question.
   */
  #speakAmbient(step: PlanStep, bindings: TokenBindings): void {
    for (const ambient of this.#plan.ambientBefore.get(step.entry) ?? NO_PARTS) {
      const early = !ambient.needs.every((entry) => this.happened(entry));
      if (!early || !this.#plan.links.cancelledRequestOf.has(ambient.entry)) this.#speak(ambient, bindings);
    }
  }

  #speak(part: PlanStep, bindings: TokenBindings): void {
    if (part.ambient && this.happened(part.entry)) return;
    const said = this.#send(part, bindings);
    this.open(part.entry, bindings);
    if (!said) return;
    this.#progress?.sent(part.entry);
    if (this.#notified || !isNotification(this.#plan.entries[part.entry]!.message)) return;
    this.#notified = true;
    this.#clock.endOfTurn(() => {
      this.#notified = false;
    });
  }

  #wait(entry: number, run: ActiveSequence, part: PlanStep): void {
    const waiting = this.#waiting.get(entry);
    if (waiting) {
      if (!waiting.runs.includes(run)) waiting.runs.push(run);
      return;
    }
    const limit = part.maxWait ?? this.#patience?.wait;
    const stop = limit === undefined ? undefined : stallTolerantTimeout(this.#timer, limit, () => this.#giveUp(part));
    this.#waiting.set(entry, { runs: [run], ...(stop && { stop }) });
  }

  #giveUp(part: PlanStep): void {
    const missing = part.needs.filter((entry) => !this.happened(entry));
    if (part.maxWait === undefined) for (const entry of missing) this.#patience?.over(part, entry);
    for (const entry of missing) {
      this.happen(entry);
      this.#givenUp.add(entry);
    }
  }

  #delay(run: ActiveSequence, part: PlanStep): Milliseconds {
    const { frame, message } = this.#plan.entries[part.entry]!;
    const pause = run.due === run.next ? 0 : (part.pause ?? 0);
    const least = Math.max(pause, this.#progress?.wait(part.entry) ?? 0);
    if (this.#timing === 'instant' && !this.#notified && frame.kind !== 'signal') return least;
    // A signal is never sent early, so that the peer's own earlier output is observed.
    const timing = frame.kind === 'signal' ? 'recorded' : this.#timing;
    const gap = run.due === run.next || timing === 'instant' ? 0 : delayOf(timing, this.#gap(run, part));
    const apart = this.#notified && isResponse(message) ? APART : 0;
    return Math.max(gap, apart, least);
  }

  /** Returns the recorded delay between a step and its latest cause. */
  #gap({ sequence, next }: ActiveSequence, part: PlanStep): Milliseconds {
    const { entries } = this.#plan;
    const causes = [sequence.trigger, sequence.steps[next - 1]?.entry, ...part.needs];
    const latest = causes.reduce<Milliseconds>((time, entry) => Math.max(time, entries[entry ?? -1]?.at ?? 0), 0);
    return Math.max(0, entries[part.entry]!.at - latest);
  }

  #hold(run: ActiveSequence, delay: Milliseconds): void {
    run.held = true;
    run.due = run.next;
    this.#held++;
    this.later(delay, () => {
      this.#held--;
      run.held = false;
      this.#advance(run);
      this.#checkIdle();
    });
  }

  /** Runs `task` after `delay`, unless the session ends first. */
  later(delay: Milliseconds, task: () => void): Cancel {
    const stop = this.#clock.after(delay, () => {
      this.#timers.delete(cancel);
      task();
    });
    const cancel = () => {
      this.#timers.delete(cancel);
      stop();
    };
    this.#timers.add(cancel);
    return cancel;
  }

  #checkIdle(): void {
    if (this.#held > 0 || this.#whenIdle === undefined) return;
    const task = this.#whenIdle;
    this.#whenIdle = undefined;
    task();
  }
}

function pass(run: ActiveSequence): void {
  run.next++;
  run.met = 0;
}
