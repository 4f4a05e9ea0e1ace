import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { type Milliseconds, systemClock } from '../../kernel/clock.ts';

/** A timer, an immediate or a file operation that a server waits for. */
interface Work {
  hasRef?(): boolean;
  /** Delay of a timer. Node sets it before it announces the timer, and has no public name for it. */
  _idleTimeout?: Milliseconds;
}

/** Resources of Node that end by themselves. A socket or a child process may stay for as long as its server. */
const ENDING = /^(Timeout|Immediate|FSREQ.*|FILEHANDLECLOSEREQ)$/;

/**
 * The pending work of a server in this process: its timers, immediates and file operations. A process ends when its work is done. A server in a
 * test's process does not end, so that this says when it has done what a process would still do.
 */
export class ServerWork {
  readonly #isServer = new AsyncLocalStorage<true>();
  readonly #pending = new Map<number, Work>();
  /** Called when a piece of work has run, or was taken back. */
  #changed: () => void = () => {};
  readonly #hook = createHook({
    init: (id, type, _, resource) => {
      if (ENDING.test(type) && this.#isServer.getStore()) this.#pending.set(id, resource);
    },
    // An interval counts as done after its next run.
    after: (id) => this.#done(id),
    destroy: (id) => this.#done(id),
  });

  constructor() {
    this.#hook.enable();
  }

  /** Runs `task` as part of the server. */
  run<Result>(task: () => Result): Result {
    return this.#isServer.run(true, task);
  }

  /** Runs `task` as no part of the server. */
  runOutside<Result>(task: () => Result): Result {
    return this.#isServer.exit(task);
  }

  /**
   * Calls `then` once, when the server has done what it is waiting for, and the work that follows from it: `waitMax` from now at the latest. What waits for longer, or
   * would not keep a process alive, is not waited for.
   */
  whenDone(waitMax: Milliseconds, then: () => void): void {
    const isWaitedFor = (work: Work) => work.hasRef?.() !== false && (work._idleTimeout ?? 0) <= waitMax;
    let isOver = false;
    const finish = () => {
      if (isOver) return;
      isOver = true;
      stopWaiting();
      then();
    };
    const check = () => {
      if (![...this.#pending.values()].some(isWaitedFor)) finish();
    };
    const stopWaiting = systemClock.after(waitMax, finish);
    this.#changed = () => this.runOutside(() => systemClock.endOfTurn(check));
    systemClock.endOfTurn(check);
  }

  /** Ends the watch, which costs each promise of the process a little. */
  stop(): void {
    this.#hook.disable();
  }

  #done(id: number): void {
    if (this.#pending.delete(id)) this.#changed();
  }
}
