import type { Clock, Milliseconds } from '../kernel/clock.ts';

/** How many sessions start when. */
export interface LoadShape {
  /** Maximum number of sessions at once. */
  clients: number;
  /**
   * Sessions to start a second, even if earlier ones are still running (the open model). Absent: each client starts its
   * next session when the last one has ended (the closed model).
   */
  rate?: number;
  /** Time in which sessions start. Sessions still running afterwards are played to their end. */
  duration: Milliseconds;
  /** Time until all clients have started, or the rate is reached, in equal steps. */
  ramp: Milliseconds;
}

/** Part of a load that one worker plays: of `workers` sessions or clients in a row, the one at `index`. */
export interface LoadShare {
  index: number;
  workers: number;
}

/** Options for starting sessions of many clients. */
export interface ArrivalOptions extends LoadShape {
  /** Plays a session to its end. Resolves to whether the server was reachable. */
  play(aborted: AbortSignal): Promise<boolean>;
  /** Default: the whole load. */
  share?: LoadShare;
  clock: Clock;
  /** Aborting stops further starts and ends the running sessions. */
  aborted: AbortSignal;
}

/** Number of started sessions, and deviations from the open model. */
export interface Arrivals {
  started: number;
  /** Number of sessions that started late. */
  late: number;
  /** Number of late sessions although a client was free: this process was late. */
  lateWithFreeClients: number;
  /** Longest delay of a late session. */
  delayMax: Milliseconds;
  /** Number of sessions that were due within the duration and never started. */
  missed: number;
  /** Number of missed sessions although a client was free: this process was late. */
  missedWithFreeClients: number;
  /** Actual time in which sessions started. */
  period: Milliseconds;
}

/** A session of the open model that waits for a client. */
interface DueSession {
  due: Milliseconds;
  /** Time at which the session's timer fired. */
  arrived: Milliseconds;
}

/** Returns the arrivals of a load from those of its shares. */
export function wholeArrivals(shares: readonly Arrivals[]): Arrivals {
  const sum = (name: keyof Arrivals) => shares.reduce((total, share) => total + share[name], 0);
  const most = (name: keyof Arrivals) => Math.max(...shares.map((share) => share[name]));
  return {
    started: sum('started'),
    late: sum('late'),
    lateWithFreeClients: sum('lateWithFreeClients'),
    delayMax: most('delayMax'),
    missed: sum('missed'),
    missedWithFreeClients: sum('missedWithFreeClients'),
    period: most('period'),
  };
}

/** Pause of a client after an unreachable server. Prevents thousands of attempts a second. */
const UNREACHED_PAUSE: Milliseconds = 1_000;

/** Starts sessions for the given duration. Resolves when all sessions have ended. */
export function playSessions(options: ArrivalOptions): Promise<Arrivals> {
  return new Promise((resolve, reject) => new Crowd(options, resolve, reject).start());
}

class Crowd {
  readonly #options: ArrivalOptions;
  readonly #share: LoadShare;
  /** Maximum number of this share's sessions at once. */
  readonly #clients: number;
  readonly #resolve: (arrivals: Arrivals) => void;
  readonly #reject: (error: unknown) => void;
  readonly #arrivals: Arrivals = {
    started: 0,
    late: 0,
    lateWithFreeClients: 0,
    delayMax: 0,
    missed: 0,
    missedWithFreeClients: 0,
    period: 0,
  };
  readonly #began: Milliseconds;
  /** Abort controllers of the running sessions. */
  readonly #sessions = new Set<AbortController>();
  /** Sessions of the open model that wait for a client. */
  readonly #due: DueSession[] = [];
  /** Number of sessions of the open model whose timer has fired. */
  #arrived = 0;
  /** Number of clients that wait for a delayed start. */
  #pausing = 0;
  #isOver = false;

  constructor(options: ArrivalOptions, resolve: (arrivals: Arrivals) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#share = options.share ?? { index: 0, workers: 1 };
    this.#clients = Math.ceil((options.clients - this.#share.index) / this.#share.workers);
    this.#resolve = resolve;
    this.#reject = reject;
    this.#began = options.clock.now();
  }

  start(): void {
    const { aborted, clients, clock, duration, ramp, rate } = this.#options;
    if (aborted.aborted) return this.#abort();
    clock.after(duration, () => this.#endInTime());
    aborted.addEventListener('abort', () => this.#abort(), { once: true });
    if (rate !== undefined) return this.#awaitNext();
    const { index, workers } = this.#share;
    for (let client = index; client < clients; client += workers) this.#later((ramp * client) / clients);
  }

  /** Waits until the open model's next session is due, starts that session, and repeats. */
  #awaitNext(): void {
    const { clock, duration } = this.#options;
    const time = this.#dueTime(this.#arrived + 1);
    if (time >= duration) return;
    clock.after(Math.max(0, this.#began + time - clock.now()), () => {
      if (this.#isOver) return;
      this.#arrive();
      this.#awaitNext();
    });
  }

  #arrive(): void {
    const due = this.#began + this.#dueTime(++this.#arrived);
    this.#due.push({ due, arrived: this.#options.clock.now() });
    this.#takeDue();
  }

  /**
   * Returns the due time of this share's n-th session. The rate grows linearly during the ramp, and is constant
   * afterwards.
   */
  #dueTime(n: number): Milliseconds {
    const { ramp, rate = 0 } = this.#options;
    const perMillisecond = rate / 1_000;
    const inRamp = (perMillisecond * ramp) / 2;
    const before = (n - 1) * this.#share.workers + this.#share.index;
    return before < inRamp
      ? Math.sqrt((2 * before * ramp) / perMillisecond)
      : ramp + (before - inRamp) / perMillisecond;
  }

  /** Returns the number of this share's open-model sessions due before `time`, measured from the start. */
  #countDueBefore(time: Milliseconds): number {
    const { ramp, rate = 0 } = this.#options;
    const perMillisecond = rate / 1_000;
    const inRamp = (perMillisecond * Math.min(time, ramp) ** 2) / (2 * ramp || 1);
    const whole = inRamp + perMillisecond * Math.max(0, time - ramp);
    let count = Math.max(0, Math.floor((whole - this.#share.index) / this.#share.workers));
    // Square roots in `#dueTime` are rounded, so the computed count may be off.
    while (this.#dueTime(count + 1) < time) count++;
    while (count > 0 && this.#dueTime(count) >= time) count--;
    return count;
  }

  #isClientFree(): boolean {
    return this.#sessions.size + this.#pausing < this.#clients;
  }

  #takeDue(): void {
    const { clock } = this.#options;
    while (this.#due.length > 0 && this.#isClientFree()) {
      const { due, arrived } = this.#due.shift()!;
      const now = clock.now();
      if (now - due > LATE_MIN) {
        this.#arrivals.late++;
        if (arrived - due > now - arrived) this.#arrivals.lateWithFreeClients++;
        this.#arrivals.delayMax = Math.max(this.#arrivals.delayMax, now - due);
      }
      void this.#play();
    }
  }

  /** Starts a session of a client after `delay`. */
  #later(delay: Milliseconds): void {
    const { clock, rate } = this.#options;
    this.#pausing++;
    clock.after(delay, () => {
      this.#pausing--;
      if (this.#isOver) this.#settle();
      else if (rate === undefined) void this.#play();
      else this.#takeDue();
    });
  }

  async #play(): Promise<void> {
    const controller = new AbortController();
    this.#sessions.add(controller);
    this.#arrivals.started++;
    try {
      const isReached = await this.#options.play(controller.signal);
      this.#sessions.delete(controller);
      if (this.#isOver) this.#settle();
      else if (!isReached) this.#later(UNREACHED_PAUSE);
      else if (this.#options.rate === undefined) void this.#play();
      else this.#takeDue();
    } catch (error) {
      this.#reject(error);
      this.#sessions.delete(controller);
      this.#abort();
    }
  }

  #abort(): void {
    this.#stop(this.#options.clock.now() - this.#began - LATE_MIN);
    for (const session of this.#sessions) session.abort();
  }

  /**
   * Stops starting sessions at the end of the duration. Sessions due shortly before are still started, because their
   * timers may fire too late.
   */
  #endInTime(): void {
    const { clock, duration, rate } = this.#options;
    if (this.#isOver) return;
    const last = rate === undefined ? 0 : this.#countDueBefore(duration);
    while (
      this.#arrived < last &&
      clock.now() - this.#began - this.#dueTime(this.#arrived + 1) <= LATE_MIN &&
      this.#isClientFree()
    )
      this.#arrive();
    this.#stop(duration);
  }

  /** Stops starting sessions. Sessions due before `time` (since the start) that have not started count as missed. */
  #stop(time: Milliseconds): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#arrivals.period = this.#options.clock.now() - this.#began;
    if (this.#options.rate !== undefined) {
      const unarrived = Math.max(0, this.#countDueBefore(time) - this.#arrived);
      this.#arrivals.missed = this.#due.length + unarrived;
      this.#arrivals.missedWithFreeClients = this.#isClientFree() ? unarrived : 0;
    }
    this.#settle();
  }

  #settle(): void {
    if (this.#sessions.size === 0) this.#resolve(this.#arrivals);
  }
}

/** Maximum delay of a timer. A start with a shorter delay does not count as late. */
const LATE_MIN: Milliseconds = 20;
