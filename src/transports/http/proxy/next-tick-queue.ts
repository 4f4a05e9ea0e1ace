import { onNextTick } from '../../../kernel/platform/next-tick.ts';
/**
 * Returns a function that queues tasks until the writes of this tick are under way. Node gathers the chunks of a tick
 * into one write, which is much cheaper than separate writes.
 */
export function nextTickQueue(): (task: () => void) => void {
  let waiting: (() => void)[] = [];
  return (task) => {
    if (waiting.push(task) > 1) return;
    onNextTick(() => {
      const tasks = waiting;
      waiting = [];
      for (const run of tasks) run();
    });
  };
}
