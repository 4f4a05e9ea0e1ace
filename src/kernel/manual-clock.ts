import type { Cancel, Clock, Milliseconds } from './clock.ts';

interface Alarm {
  at: Milliseconds;
  task: () => void;
}

/** Clock that advances only by calls, so that tests of time take no time. */
export class ManualClock implements Clock {
  #now: Milliseconds = 0;
  readonly #start: number;
  #alarms: Alarm[] = [];
  #turn: Array<() => void> = [];

  constructor(start: Date = new Date(0)) {
    this.#start = start.getTime();
  }

  now(): Milliseconds {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#start + this.#now);
  }

  after(delay: Milliseconds, task: () => void): Cancel {
    const alarm: Alarm = { at: this.#now + Math.max(0, delay), task };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  endOfTurn(task: () => void): void {
    this.#turn.push(task);
  }

  /** Ends the current turn: runs the tasks that wait for its end, and the tasks that those add. */
  endTurn(): void {
    for (let tasks = this.#turn; tasks.length > 0; tasks = this.#turn) {
      this.#turn = [];
      for (const task of tasks) task();
    }
  }

  /** Advances the clock by `duration`: runs every due task in order of time, and ends the turn after each. */
  advance(duration: Milliseconds): void {
    const until = this.#now + duration;
    this.endTurn();
    for (let next = this.#nextBefore(until); next; next = this.#nextBefore(until)) {
      const due = next;
      this.#alarms = this.#alarms.filter((alarm) => alarm !== due);
      this.#now = due.at;
      due.task();
      this.endTurn();
    }
    this.#now = until;
  }

  #nextBefore(until: Milliseconds): Alarm | undefined {
    let next: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (alarm.at <= until && (next === undefined || alarm.at < next.at)) next = alarm;
    }
    return next;
  }
}
