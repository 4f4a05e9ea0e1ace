import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import type { Lane, Part } from '../plan/sequence.ts';
import type { Score } from '../plan/server-plan.ts';
import { delayOf, type Timing } from '../timing.ts';
import type { Bindings } from '../tokens/token-rewriter.ts';

export interface StageOptions {
  score: Score;
  clock: Clock;
  timing: Timing;
  /** Says the move of `part` with the live values of its run. False: it cannot be said in this run, and is left out. */
  say(part: Part, bindings: Bindings): boolean;
  /** How long a part waits for what it needs. Absent: as long as the peer likes. */
  patience?: Patience;
}

/** A limit to every wait: then `over` is told what did not come, and the part goes on without it. */
export interface Patience {
  wait: Milliseconds;
  over(part: Part, missing: number): void;
}

/** A lane at work: the tape's frames, for one live request. */
export interface Run {
  readonly lane: Lane;
  readonly bindings: Bindings;
  /** Position of the next part. */
  next: number;
  /** How many of the needs of that part are known to have happened. */
  met: number;
  /** The live peer withdrew its request: what the tape said before its own cancel (or at all) is not said any more. */
  cancelled?: { taped: number | undefined };
  /** Called once, when the last part was said or given up. */
  ended: (() => void) | undefined;
  /** Busy with a part, or waiting for its time. */
  held: boolean;
  /** The part whose recorded gap has passed. */
  due: number;
}

const NO_PARTS: readonly Part[] = [];
const NO_RUNS: readonly Run[] = [];

/**
 * Real SDK clients lose a notification that arrives in one chunk with the response after it, so instant replay keeps
 * such a response back for this long.
 */
const APART: Milliseconds = 1;

/** Runs the lanes of a score: each part is said as soon as the part before it was, and all that it waits for happened. */
export class Stage {
  readonly #score: Score;
  readonly #clock: Clock;
  readonly #timing: Timing;
  readonly #say: StageOptions['say'];
  readonly #patience: Patience | undefined;
  /** By move: 1 where it has happened in this session. */
  readonly #happened: Uint8Array;
  /** What counts as happened because a wait for it was over. */
  readonly #givenUp = new Set<number>();
  readonly #waiting = new Map<number, { runs: Run[]; stop?: Cancel }>();
  readonly #runs = new Set<Run>();
  readonly #timers = new Set<Cancel>();
  #abandoned: Part[] = [];
  /** How many runs only wait for their time. */
  #held = 0;
  #whenIdle: (() => void) | undefined;
  /** A notification was said in this turn of the event loop. */
  #notified = false;
  #stopped = false;

  constructor({ score, clock, timing, say, patience }: StageOptions) {
    this.#score = score;
    this.#happened = new Uint8Array(score.moves.length);
    this.#clock = clock;
    this.#timing = timing;
    this.#say = say;
    this.#patience = patience;
  }

  /** Whether a move of either side has happened in this session. */
  happened(move: number): boolean {
    return this.#happened[move] === 1;
  }

  /** Whether it happened, and was not only given up because a wait for it was over. */
  hasCome(move: number): boolean {
    return this.happened(move) && !this.#givenUp.has(move);
  }

  /** A move of either side happened: whatever waited only for it goes on. */
  happen(move: number): void {
    this.#happened[move] = 1;
    this.#givenUp.delete(move);
    const waiting = this.#waiting.get(move);
    if (waiting === undefined) return;
    this.#waiting.delete(move);
    waiting.stop?.();
    for (const run of waiting.runs) this.#advance(run);
  }

  /** Starts the lanes that `move` opens; undefined is the session's start. `ended` is called for each of them. */
  open(move: number | undefined, bindings: Bindings, ended?: () => void): readonly Run[] {
    const lanes = this.#score.lanes.get(move);
    if (lanes === undefined) {
      if (move !== undefined) this.happen(move);
      return NO_RUNS;
    }
    const answer = this.#onlyAnswer(lanes);
    if (answer && move !== undefined) this.happen(move);
    if (answer && this.#isFree(answer)) {
      this.#speak(answer, bindings);
      ended?.();
      return NO_RUNS;
    }
    const runs = lanes.map((lane): Run => ({ lane, bindings, ended, next: 0, met: 0, held: false, due: -1 }));
    for (const run of runs) this.#runs.add(run);
    if (move !== undefined) this.happen(move);
    for (const run of runs) this.#advance(run);
    return runs;
  }

  /** The live peer cancelled the request that `run` serves. */
  cancel(run: Run): void {
    const taped = this.#score.links.cancelOf.get(run.lane.opens ?? -1);
    run.cancelled = { taped };
    if (taped !== undefined) this.happen(taped);
    this.#advance(run);
  }

  /** Calls back when nothing that may be said is kept back only for its time. */
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

  /** Parts of lanes that were opened, which were not said. */
  unsaid(): Part[] {
    const left = [...this.#runs].flatMap(({ lane, next }) => lane.parts.slice(next));
    return [...this.#abandoned, ...left].filter(({ ambient, move }) => !ambient || !this.happened(move));
  }

  #advance(run: Run): void {
    const { parts } = run.lane;
    while (!this.#stopped && !run.held && run.next < parts.length) {
      const part = parts[run.next]!;
      if (this.#passes(run, part)) {
        pass(run);
        continue;
      }
      const blocker = this.#blocker(run, part);
      if (blocker !== undefined) return this.#wait(blocker, run, part);
      for (const ambient of this.#score.flushes.get(part.move) ?? NO_PARTS)
        this.#speak(ambient, run.bindings);
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

  /** Nearly every lane is one answer that waits for nothing: it needs no run. */
  #onlyAnswer(lanes: readonly Lane[]): Part | undefined {
    const parts = lanes.length === 1 ? lanes[0]!.parts : NO_PARTS;
    const part = parts[0];
    if (part === undefined || parts.length > 1 || part.ambient || part.needs.length > 0) return undefined;
    return isResponse(this.#score.moves[part.move]!.message) ? part : undefined;
  }

  /** Whether it may go now, and nothing has to go before it. */
  #isFree({ move }: Part): boolean {
    return !this.#stopped && this.#timing === 'instant' && !this.#notified && !this.#score.flushes.has(move);
  }

  /** The first of its needs that has not happened. What has happened once is not asked again. */
  #blocker(run: Run, { needs }: Part): number | undefined {
    while (run.met < needs.length && this.happened(needs[run.met]!)) run.met++;
    return needs[run.met];
  }

  /** Whether `part` is not (or not again) for this run to say. */
  #passes({ cancelled }: Run, part: Part): boolean {
    // A list asked again repeats its answer, but asks no question of its own again under the same id.
    const isOnce = part.ambient || isRequest(this.#score.moves[part.move]!.message);
    if (isOnce && this.happened(part.move)) return true;
    if (part.ambient) return false;
    if (cancelled === undefined || part.move > (cancelled.taped ?? Number.POSITIVE_INFINITY)) return false;
    this.#abandoned.push(part);
    return true;
  }

  #speak(part: Part, bindings: Bindings): void {
    if (part.ambient && this.happened(part.move)) return;
    const said = this.#say(part, bindings);
    this.open(part.move, bindings);
    if (!said) return;
    if (this.#notified || !isNotification(this.#score.moves[part.move]!.message)) return;
    this.#notified = true;
    this.#clock.endOfTurn(() => {
      this.#notified = false;
    });
  }

  #wait(move: number, run: Run, part: Part): void {
    const waiting = this.#waiting.get(move);
    if (waiting) {
      if (!waiting.runs.includes(run)) waiting.runs.push(run);
      return;
    }
    const limit = part.patience ?? this.#patience?.wait;
    const stop = limit === undefined ? undefined : this.later(limit, () => this.#giveUp(part));
    this.#waiting.set(move, { runs: [run], ...(stop && { stop }) });
  }

  #giveUp(part: Part): void {
    const missing = part.needs.filter((move) => !this.happened(move));
    if (part.patience === undefined) for (const move of missing) this.#patience?.over(part, move);
    for (const move of missing) {
      this.happen(move);
      this.#givenUp.add(move);
    }
  }

  #delay(run: Run, part: Part): Milliseconds {
    const { frame, message } = this.#score.moves[part.move]!;
    if (this.#timing === 'instant' && !this.#notified && frame.kind !== 'signal') return 0;
    // A signal never comes early: what the peer does by itself before it is the peer's to show.
    const timing = frame.kind === 'signal' ? 'recorded' : this.#timing;
    const gap = run.due === run.next || timing === 'instant' ? 0 : delayOf(timing, this.#gap(run, part));
    const apart = this.#notified && isResponse(message) ? APART : 0;
    return Math.max(gap, apart);
  }

  /** On tape, from the last thing that `part` waited for to `part`. */
  #gap({ lane, next }: Run, part: Part): Milliseconds {
    const { moves } = this.#score;
    const causes = [lane.opens, lane.parts[next - 1]?.move, ...part.needs];
    const latest = causes.reduce<Milliseconds>((time, move) => Math.max(time, moves[move ?? -1]?.at ?? 0), 0);
    return Math.max(0, moves[part.move]!.at - latest);
  }

  #hold(run: Run, delay: Milliseconds): void {
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

function pass(run: Run): void {
  run.next++;
  run.met = 0;
}
