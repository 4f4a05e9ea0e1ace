/** Reference taken at load, because a test's fake timers replace `process.nextTick` later: see `clock.ts`. */
const { nextTick } = process;

/** Runs a task when the current operation of Node has ended, before promises and any input. */
export function onNextTick(task: () => void): void {
  nextTick(task);
}
