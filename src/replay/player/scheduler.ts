import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import { afterPatience } from '../../kernel/patient-wait.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import type { PlanStep, Sequence } from '../plan/sequence.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import { delayOf, type Timing } from '../timing.ts';
import type { TokenBindings } from '../tokens/token-rewriter.ts';

export interface SchedulerOptions {
  plan: ReplayPlan;
  clock: Clock;
  timing: Timing;
  /** Says the entry of `part` with the live values of its run. False: it cannot be said in this run, and is left out. */
  say(part: PlanStep, bindings: TokenBindings): boolean;
  /** How long a part waits for what it needs. Absent: as long as the peer likes. */
  patience?: WaitLimit;
}

/** A limit to every wait: then `over` is told what did not come, and the part goes on without it. */
export interface WaitLimit {
  wait: Milliseconds;
  over(part: PlanStep, missing: number): void;
}

/** A sequence at work: the cassette's frames, for one live request. */
export interface ActiveSequence {
  readonly sequence: Sequence;
  readonly bindings: TokenBindings;
  /** Position of the next part. */
  next: number;
  /** Number of the step's dependencies known to have happened. */
  met: number;
  /** The live peer withdrew its request: what the cassette said before its own cancel (or at all) is not said any more. */
  cancelled?: { recorded: number | undefined };
  /** Called once, when the last part was said or given up. */
  ended: (() => void) | undefined;
  /** Busy with a part, or waiting for its time. */
  held: boolean;
  /** The part whose recorded gap has passed. */
  due: number;
}

const NO_PARTS: readonly PlanStep[] = [];
const NO_RUNS: readonly ActiveSequence[] = [];

/**
 * Real SDK clients lose a notification that arrives in one chunk with the response after it, so instant replay keeps
 * such a response back for this long.
 */
const APART: Milliseconds = 1;

/** Runs the sequences of a plan. A step is sent after its predecessor, once all of its dependencies have happened. */
export class Scheduler {
  readonly #plan: ReplayPlan;
  readonly #clock: Clock;
  readonly #timing: Timing;
  readonly #say: SchedulerOptions['say'];
  readonly #patience: WaitLimit | undefined;
  /** By entry index: 1 if it has happened in this session. */
  readonly #happened: Uint8Array;
  /** Entries that count as happened because waiting for them timed out. */
  readonly #givenUp = new Set<number>();
  readonly #waiting = new Map<number, { runs: ActiveSequence[]; stop?: Cancel }>();
  readonly #runs = new Set<ActiveSequence>();
  readonly #timers = new Set<Cancel>();
  readonly #timer = {
    now: () => this.#clock.now(),
    after: (delay: Milliseconds, task: () => void) => this.later(delay, task),
  };
  #abandoned: PlanStep[] = [];
  /** How many runs only wait for their time. */
  #held = 0;
  #whenIdle: (() => void) | undefined;
  /** A notification was said in this turn of the event loop. */
  #notified = false;
  #stopped = false;

  constructor({ plan, clock, timing, say, patience }: SchedulerOptions) {
    this.#plan = plan;
    this.#happened = new Uint8Array(plan.entries.length);
    this.#clock = clock;
    this.#timing = timing;
    this.#say = say;
    this.#patience = patience;
  }

  /** Whether an entry of either side has happened in this session. */
  happened(entry: number): boolean {
    return this.#happened[entry] === 1;
  }

  /** Whether an entry has happened, rather than timed out. */
  hasCome(entry: number): boolean {
    return this.happened(entry) && !this.#givenUp.has(entry);
  }

  /** An entry of either side happened: whatever waited only for it goes on. */
  happen(entry: number): void {
    this.#happened[entry] = 1;
    this.#givenUp.delete(entry);
    const waiting = this.#waiting.get(entry);
    if (waiting === undefined) return;
    this.#waiting.delete(entry);
    waiting.stop?.();
    for (const run of waiting.runs) this.#advance(run);
  }

  /** Starts the sequences that `move` opens; undefined is the session's start. `ended` is called for each of them. */
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

  /** The live peer cancelled the request that `run` serves. */
  cancel(run: ActiveSequence): void {
    const recorded = this.#plan.links.cancelOf.get(run.sequence.trigger ?? -1);
    run.cancelled = { recorded };
    if (recorded !== undefined) this.happen(recorded);
    this.#advance(run);
  }

  /** Calls back when no step waits for its time alone. */
  whenIdle(task: () => void): void {
    this.#whenIdle = task;
    this.#checkIdle();
  }

  /** Drops what waits for its time. Nothing is said after this. */
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
      for (const ambient of this.#plan.ambientBefore.get(part.entry) ?? NO_PARTS) this.#speak(ambient, run.bindings);
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

  /** Nearly every sequence is one answer that waits for nothing: it needs no run. */
  #onlyAnswer(sequences: readonly Sequence[]): PlanStep | undefined {
    const parts = sequences.length === 1 ? sequences[0]!.steps : NO_PARTS;
    const part = parts[0];
    if (part === undefined || parts.length > 1 || part.ambient || part.needs.length > 0) return undefined;
    return isResponse(this.#plan.entries[part.entry]!.message) ? part : undefined;
  }

  /** Whether it may go now, and nothing has to go before it. */
  #isFree({ entry }: PlanStep): boolean {
    return !this.#stopped && this.#timing === 'instant' && !this.#notified && !this.#plan.ambientBefore.has(entry);
  }

  /** The first of its needs that has not happened. What has happened once is not asked again. */
  #blocker(run: ActiveSequence, { needs }: PlanStep): number | undefined {
    while (run.met < needs.length && this.happened(needs[run.met]!)) run.met++;
    return needs[run.met];
  }

  /** Whether `part` is not (or not again) for this run to say. */
  #passes({ cancelled }: ActiveSequence, part: PlanStep): boolean {
    // A list asked again repeats its answer, but asks no question of its own again under the same id.
    const isOnce = part.ambient || isRequest(this.#plan.entries[part.entry]!.message);
    if (isOnce && this.happened(part.entry)) return true;
    if (part.ambient) return false;
    if (cancelled === undefined || part.entry > (cancelled.recorded ?? Number.POSITIVE_INFINITY)) return false;
    this.#abandoned.push(part);
    return true;
  }

  #speak(part: PlanStep, bindings: TokenBindings): void {
    if (part.ambient && this.happened(part.entry)) return;
    const said = this.#say(part, bindings);
    this.open(part.entry, bindings);
    if (!said) return;
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
    const stop = limit === undefined ? undefined : afterPatience(this.#timer, limit, () => this.#giveUp(part));
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
    if (this.#timing === 'instant' && !this.#notified && frame.kind !== 'signal') return 0;
    // A signal never comes early: what the peer does by itself before it is the peer's to show.
    const timing = frame.kind === 'signal' ? 'recorded' : this.#timing;
    const gap = run.due === run.next || timing === 'instant' ? 0 : delayOf(timing, this.#gap(run, part));
    const apart = this.#notified && isResponse(message) ? APART : 0;
    return Math.max(gap, apart);
  }

  /** In the cassette, from the last thing that `part` waited for to `part`. */
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
