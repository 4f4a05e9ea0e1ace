/** Duration or instant in milliseconds, the unit of all times without another unit in their names. */
export type Milliseconds = number;

/** Cancels the task or watch that returned this function. A second or late call does nothing. */
export type Cancel = () => void;

/** Source of time. Rooms above the kernel take a clock and never name a timer or a date. */
export interface Clock {
  /** Returns the time since an arbitrary start. It never goes backwards. */
  now(): Milliseconds;
  date(): Date;
  /** Runs `task` once, `delay` from now. */
  after(delay: Milliseconds, task: () => void): Cancel;
  /** Runs `task` when the current turn of the event loop has handled all its input. */
  endOfTurn(task: () => void): void;
}

/** References taken at load, because a test's fake timers replace the globals later. */
const { performance, Date: RealDate, setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;

/** Longest delay that platform timers accept (31 bits). They fire at once on a longer one. */
const DELAY_MAX: Milliseconds = 2 ** 31 - 1;

/** The clock of the operating system. */
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

/** Runs a task when the code that runs now has ended, before any input. */
export const asMicrotask: (task: () => void) => void = globalThis.queueMicrotask;

/** Returns a clock that forwards each call to the present result of `current`. */
export function changingClock(current: () => Clock): Clock {
  return {
    now: () => current().now(),
    date: () => current().date(),
    after: (delay, task) => current().after(delay, task),
    endOfTurn: (task) => current().endOfTurn(task),
  };
}

/** Runs `task` every `interval`. The timer does not keep the process alive. */
export function whileAlive(interval: Milliseconds, task: () => void): Cancel {
  const timer = setInterval(task, interval).unref();
  return () => clearInterval(timer);
}

/** Blocks the thread of this process for `time`. */
export function blockFor(time: Milliseconds): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);
}

/** Parses an ISO 8601 text, e.g. `2026-11-21T03:02:15Z`. */
export function instantOf(text: string): Date {
  return new Date(text);
}

/** Returns the date `by` milliseconds later. A negative `by` gives an earlier date. */
export function laterDate(date: Date, by: Milliseconds): Date {
  return new Date(date.getTime() + by);
}
