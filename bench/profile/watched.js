/** A program under Node's sampling profiler, and the part of its life that counts. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placesOf } from './places.js';
import { workOf } from './threads.js';

/** Samples are this far apart; in µs. */
const INTERVAL = 200;

/** The clock that profiles tell, which is the same in all processes; in µs. */
const now = () => Number(process.hrtime.bigint() / 1_000n);

/** Does `task`, and tells when that was, and what the process `pid` worked the while. */
export async function watched(pid, task) {
  const [from, before] = [now(), workOf(pid)];
  await task();
  const [to, after] = [now(), workOf(pid)];
  return { from, to, main: after.main - before.main, others: after.others - before.others };
}

/** What a process worked since it began. */
export function sinceItsStart(pid) {
  return { from: 0, to: now(), ...workOf(pid) };
}

/**
 * Runs a program twice, as it is and with the profiler's options of `node`, and says where its time goes while it is watched,
 * which is what `run` returns: by place, in µs of CPU. How much it is the first run tells, which nobody looked into.
 */
export async function profiled(run) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-profile-'));
  try {
    const { main, others } = await run([]);
    const span = await run(['--cpu-prof', `--cpu-prof-interval=${INTERVAL}`, `--cpu-prof-dir=${folder}`]);
    const [file, ...more] = readdirSync(folder);
    if (file === undefined || more.length > 0) throw new Error(`not one profile was written in ${folder}`);
    const places = placesOf(JSON.parse(readFileSync(join(folder, file), 'utf8')), span);
    const sampled = [...places.values()].reduce((sum, time) => sum + time, 0);
    for (const [place, time] of places) places.set(place, (time / sampled) * main);
    return places.set('other threads', others);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
