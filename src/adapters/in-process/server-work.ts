import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { type Milliseconds, systemClock } from '../../kernel/clock.ts';

/** A timer, an immediate or a file operation that a server waits for. */
interface Work {
  hasRef?(): boolean;
  /** Delay of a timer. Node sets this field before announcing the timer, and has no public name for it. */
  _idleTimeout?: Milliseconds;
}

/**
 * Node resources that end by themselves. Sockets and child processes are left out, because they may live as long as the
 * server.
 */
const ENDING = /^(Timeout|Immediate|FSREQ.*|FILEHANDLECLOSEREQ)$/;

/**
 * Pending work of a server in this process: timers, immediates and file operations. A separate server process exits
 * when its work is done. A server in the test's process does not exit, so this class detects the same moment.
 */
export class ServerWork {
  readonly #isServer = new AsyncLocalStorage<true>();
  readonly #pending = new Map<number, Work>();
  /** Called when a piece of work has run or was cancelled. */
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

  /** Runs `task` outside of the server. */
  runOutside<Result>(task: () => Result): Result {
    return this.#isServer.exit(task);
  }

  /**
   * Calls `then` once, when the server has finished its pending work and all work that follows, or after `waitMax`.
   * Timers longer than `waitMax` are not waited for, nor is work that does not keep a process alive.
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

  /** Stops tracking, because the hook slows down each promise of the process. */
  stop(): void {
    this.#hook.disable();
  }

  #done(id: number): void {
    if (this.#pending.delete(id)) this.#changed();
  }
}
