import type { Clock, Milliseconds } from '../kernel/clock.ts';

/** Sessions that clients play to a server, and when they start. */
export interface ArrivalOptions {
  /** Plays a session to its end. `number`: its position among all, from 1. Resolves to whether the server was reached. */
  play(number: number, aborted: AbortSignal): Promise<boolean>;
  /** Maximum number of sessions at once. */
  clients: number;
  /**
   * Sessions that start in a second, whether or not others have ended (the open model). Absent: each client starts the
   * next one when its last has ended (the closed model).
   */
  rate?: number;
  /** Time in which sessions start. Those that have started by then are played to their end. */
  duration: Milliseconds;
  /** Time until all clients have started, or the rate is reached, in equal steps. */
  ramp: Milliseconds;
  clock: Clock;
  /** Starts no more sessions when it aborts, and ends those that are under way. */
  aborted: AbortSignal;
}

/** Sessions that started, and how far the open model was kept. */
export interface Arrivals {
  started: number;
  /** Number of sessions that started late, because as many as there are clients were under way. */
  late: number;
  /** Longest delay of a session that started late. */
  delayMax: Milliseconds;
  /** Number of sessions that were due and never started, for the same reason. */
  missed: number;
}

/** Pause of a client that did not reach the server, so that it does not try thousands of times a second. */
const UNREACHED_PAUSE: Milliseconds = 1_000;

/** Starts sessions until the time is over, and resolves when all of them have ended. */
export function playSessions(options: ArrivalOptions): Promise<Arrivals> {
  return new Promise((resolve, reject) => new Crowd(options, resolve, reject).start());
}

class Crowd {
  readonly #options: ArrivalOptions;
  readonly #resolve: (arrivals: Arrivals) => void;
  readonly #reject: (error: unknown) => void;
  readonly #arrivals: Arrivals = { started: 0, late: 0, delayMax: 0, missed: 0 };
  readonly #began: Milliseconds;
  /** One for each session that is under way. */
  readonly #sessions = new Set<AbortController>();
  /** Times at which sessions of the open model were due, that wait for a client. */
  readonly #due: Milliseconds[] = [];
  /** Clients that will start a session later. */
  #pausing = 0;
  #isOver = false;

  constructor(options: ArrivalOptions, resolve: (arrivals: Arrivals) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#began = options.clock.now();
  }

  start(): void {
    const { aborted, clients, clock, duration, ramp, rate } = this.#options;
    clock.after(duration, () => this.#stop());
    aborted.addEventListener('abort', () => this.#abort(), { once: true });
    if (rate !== undefined) return this.#arrive(1);
    for (let client = 0; client < clients; client++) this.#later((ramp * client) / clients);
  }

  /** Starts the n-th session of the open model when it is due, and then waits for the next. */
  #arrive(n: number): void {
    const { clock, duration } = this.#options;
    const time = this.#dueTime(n);
    if (time >= duration) return;
    const due = this.#began + time;
    clock.after(Math.max(0, due - clock.now()), () => {
      if (this.#isOver) return;
      this.#due.push(due);
      this.#takeDue();
      this.#arrive(n + 1);
    });
  }

  /** Returns when the n-th session is due: at a rate that grows during the ramp, and stays then. */
  #dueTime(n: number): Milliseconds {
    const { ramp, rate = 0 } = this.#options;
    const perMillisecond = rate / 1_000;
    const inRamp = (perMillisecond * ramp) / 2;
    const before = n - 1;
    return before < inRamp
      ? Math.sqrt((2 * before * ramp) / perMillisecond)
      : ramp + (before - inRamp) / perMillisecond;
  }

  #takeDue(): void {
    const { clients, clock } = this.#options;
    while (this.#due.length > 0 && this.#sessions.size + this.#pausing < clients) {
      const delay = clock.now() - this.#due.shift()!;
      if (delay > LATE_MIN) {
        this.#arrivals.late++;
        this.#arrivals.delayMax = Math.max(this.#arrivals.delayMax, delay);
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
    try {
      const isReached = await this.#options.play(++this.#arrivals.started, controller.signal);
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
    this.#stop();
    for (const session of this.#sessions) session.abort();
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#arrivals.missed = this.#due.length;
    this.#settle();
  }

  #settle(): void {
    if (this.#sessions.size === 0) this.#resolve(this.#arrivals);
  }
}

/** Delay of a start that is no sign of too few clients: a timer may be this late. */
const LATE_MIN: Milliseconds = 20;
