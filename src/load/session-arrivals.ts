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
  /** Number of sessions that started late. */
  late: number;
  /** Number of late sessions for which a client was free when they were due: this process was late itself. */
  lateWithFreeClients: number;
  /** Longest delay of a session that started late. */
  delayMax: Milliseconds;
  /** Number of sessions that were due before the end and never started. */
  missed: number;
  /** Number of missed sessions for which a client was free: this process was late itself. */
  missedWithFreeClients: number;
  /** Time in which sessions started. */
  period: Milliseconds;
}

/** A session of the open model that waits for a client. */
interface DueSession {
  due: Milliseconds;
  /** When its timer fired. */
  arrived: Milliseconds;
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
  /** One for each session that is under way. */
  readonly #sessions = new Set<AbortController>();
  /** Sessions of the open model that wait for a client. */
  readonly #due: DueSession[] = [];
  /** Number of sessions of the open model whose timer has fired. */
  #arrived = 0;
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
    clock.after(duration, () => this.#endInTime());
    aborted.addEventListener('abort', () => this.#abort(), { once: true });
    if (rate !== undefined) return this.#awaitNext();
    for (let client = 0; client < clients; client++) this.#later((ramp * client) / clients);
  }

  /** Starts the next session of the open model when it is due, and then waits for the one after it. */
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

  /** Returns how many sessions of the open model are due before `time` after the start. */
  #countDueBefore(time: Milliseconds): number {
    const { ramp, rate = 0 } = this.#options;
    const perMillisecond = rate / 1_000;
    const inRamp = (perMillisecond * Math.min(time, ramp) ** 2) / (2 * ramp || 1);
    let count = Math.max(0, Math.floor(inRamp + perMillisecond * Math.max(0, time - ramp)));
    // The roots of `#dueTime` are rounded.
    while (this.#dueTime(count + 1) < time) count++;
    while (count > 0 && this.#dueTime(count) >= time) count--;
    return count;
  }

  #isClientFree(): boolean {
    return this.#sessions.size + this.#pausing < this.#options.clients;
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
    this.#stop(this.#options.clock.now() - this.#began - LATE_MIN);
    for (const session of this.#sessions) session.abort();
  }

  /** Ends the starts at the end of the time. Sessions start that were due so late that their timer may come after it. */
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

  /** Starts no more sessions. Those that were due before `time` after the start have been missed. */
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

/** Delay of a start that is no sign of too few clients: a timer may be this late. */
const LATE_MIN: Milliseconds = 20;
