/**
 * Takes tasks, and runs them in order once what this tick writes is on its way: Node gathers the chunks of a tick and
 * sends them as one, which is cheaper by far than one by one.
 */
export function nextTickQueue(): (task: () => void) => void {
  let waiting: (() => void)[] = [];
  return (task) => {
    if (waiting.push(task) > 1) return;
    process.nextTick(() => {
      const tasks = waiting;
      waiting = [];
      for (const run of tasks) run();
    });
  };
}
