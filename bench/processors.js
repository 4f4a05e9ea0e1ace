/** Which processors a program may run on (Linux, with `taskset` of util-linux). */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const taskset = (...args) => spawnSync('taskset', args, { encoding: 'utf8' });

/** Whether programs can be put on one of two processors here. */
export function canPlace() {
  return availableParallelism() > 1 && taskset('-pc', String(process.pid)).status === 0;
}

/** Keeps all threads of a process on the processors of a list, such as `0` or `0-3`. Gives the list that it was kept on before. */
export function place(pid, list) {
  const before = /: (\S+)$/m.exec(taskset('-pc', String(pid)).stdout)?.[1];
  const { status, stderr } = taskset('-apc', list, String(pid));
  if (status !== 0) throw new Error(`cannot keep process ${pid} on ${list}: ${stderr}`);
  return before;
}

/** The processes that a process has started. */
export function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
