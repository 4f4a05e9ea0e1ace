/** Every duration and instant in this project, unless a name says otherwise. */
export type Milliseconds = number;

/** Stops what it was returned for. Calling it twice, or too late, is harmless. */
export type Cancel = () => void;

/** The only door to time: rooms above the kernel take a clock and never name a timer or a date. */
export interface Clock {
  /** Time since an arbitrary start; never goes backwards. */
  now(): Milliseconds;
  /** The calendar, for what people read. */
  date(): Date;
  /** Runs `task` once, `delay` from now. */
  after(delay: Milliseconds, task: () => void): Cancel;
  /** Runs `task` when the current turn of the event loop has handled all its input. */
  endOfTurn(task: () => void): void;
}

/** Captured at load, so that a test's fake timers do not stop them. */
const { performance, Date: RealDate, setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;

/** Timers of the platform know 31 bits: a longer delay would ring at once. */
const DELAY_MAX: Milliseconds = 2 ** 31 - 1;

/** Time as it is. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new RealDate(),
  after(delay, task) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (left: Milliseconds) => {
      const step = Math.min(left, DELAY_MAX);
      timer = setTimeout(() => (left > step ? wait(left - step) : task()), step);
    };
    wait(delay);
    return () => clearTimeout(timer);
  },
  endOfTurn: (task) => void setImmediate(task),
};

/** Runs `task` again and again, `interval` apart, for as long as something else keeps the process alive. */
export function whileAlive(interval: Milliseconds, task: () => void): Cancel {
  const timer = setInterval(task, interval).unref();
  return () => clearInterval(timer);
}

/** Does nothing for a while, and lets nothing else happen in this process. */
export function blockFor(time: Milliseconds): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);
}

/** What an ISO 8601 text means, e.g. `2026-11-21T03:02:15Z`. */
export function instantOf(text: string): Date {
  return new Date(text);
}

/** Returns a date that is so much later; earlier, if `by` is negative. */
export function laterDate(date: Date, by: Milliseconds): Date {
  return new Date(date.getTime() + by);
}
