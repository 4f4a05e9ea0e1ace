/** What a process worked, thread by thread, as the scheduler of Linux counts it: to the nanosecond. */
import { readdirSync, readFileSync } from 'node:fs';

/** The thread that writes a profile down works for us alone. */
const PROFILER = 'v8:ProfEvntProc';

/** What the main thread of a process has worked since it began, and what its others did (compiler, collector, pool); in µs. */
export function workOf(pid) {
  const work = { main: 0, others: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const tell = (file) => readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8').trim();
    if (tell('comm') === PROFILER) continue;
    const [nanoseconds] = tell('schedstat').split(' ');
    work[thread === String(pid) ? 'main' : 'others'] += Number(nanoseconds) / 1_000;
  }
  return work;
}
