import type { Cassette } from '../../src/cassette/cassette.ts';
import { type Milliseconds, systemClock } from '../../src/kernel/clock.ts';
import type { Asked, EntryPoint, Failure, RunsIn } from './entry-point.ts';
import { PATIENCE } from './plays.ts';
import { LEGACY } from './session.ts';

/** One play of a live side against a cassette, and how it should end. */
export interface Run {
  entry: EntryPoint;
  recorded: Cassette;
  live: Cassette;
  asked: Asked;
  fails: boolean;
}

/** How long a run may take: one that hangs fails its own cell, and keeps no other waiting. */
const DEADLINE: Milliseconds = 120_000;

/** How long a mock client waits in a run that should pass: longer than a server is ever kept waiting by other runs. */
const PATIENCE_OF_PASSING: Milliseconds = 60_000;

/** How many runs of a kind there are at once. Whoever waits for a process leaves its processor to others. */
const AT_ONCE: Record<RunsIn, number> = { memory: 4, msw: 4, nock: 4, processes: 6, network: 4 };

/**
 * Starts every run, as many at once as its kind allows, and gives how each ends. Those that should pass share a process
 * where their entry point can: where all of them together pass, each does.
 */
export function startRuns(
  runs: readonly Run[],
  written: (cassette: Cassette) => string,
): ReadonlyMap<Run, Promise<Failure>> {
  const limits = {
    memory: limited(AT_ONCE.memory),
    msw: limited(AT_ONCE.msw),
    nock: limited(AT_ONCE.nock),
    processes: limited(AT_ONCE.processes),
    network: limited(AT_ONCE.network),
  };
  const alone = ({ entry, recorded, live, asked, fails }: Run) => {
    const patience = fails ? PATIENCE : PATIENCE_OF_PASSING;
    return limits[entry.runsIn](() =>
      inTime(entry.fails(written(recorded), written(live), asked, patience), entry.name),
    );
  };
  const together = ({ entry, recorded, asked }: Run, sharing: readonly Run[]) =>
    limits[entry.runsIn](() =>
      inTime(
        entry.anyFails!(
          written(recorded),
          sharing.map(({ live }) => written(live)),
          asked,
        ),
        entry.name,
      ),
    );

  const shared = new Map<string, Promise<Failure>>();
  const start = (run: Run): Promise<Failure> => {
    if (!canShare(run)) return alone(run);
    const key = `${run.entry.name} ${run.asked}`;
    let any = shared.get(key);
    if (any === undefined) {
      const sharing = runs.filter((one) => canShare(one) && `${one.entry.name} ${one.asked}` === key);
      any = together(run, sharing);
      shared.set(key, any);
    }
    return any.then((fails) => (fails === false ? false : alone(run)));
  };

  const results = new Map<Run, Promise<Failure>>();
  let before: Promise<unknown> = Promise.resolve();
  for (const needs of [['memory', 'processes'], ['msw'], ['nock'], ['network']]) {
    const begun = before;
    const now = runs.filter(({ entry }) => needs.includes(entry.runsIn));
    for (const run of now)
      results.set(
        run,
        begun.then(() => start(run)),
      );
    // What stands in for the network of this process has it for itself.
    if (!needs.includes('processes')) before = Promise.allSettled(now.map((run) => results.get(run)));
  }
  // Each is awaited by the test of its cell: an error of another may come before.
  for (const result of results.values()) result.catch(() => {});
  return results;
}

/** Clients of one session that should pass: a mock server gives each a session of its own. */
function canShare({ entry, recorded, fails }: Run): boolean {
  return !fails && entry.anyFails !== undefined && recorded === LEGACY;
}

/** @throws Error where `run` has not ended by its deadline */
async function inTime<Result>(run: Promise<Result>, name: string): Promise<Result> {
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    stop = systemClock.after(DEADLINE, () => reject(new Error(`A run by ${name} did not end in ${DEADLINE} ms.`)));
  });
  return Promise.race([run, late]).finally(() => stop());
}

/** Runs at most `count` tasks at once, in the order in which they come. */
function limited(count: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
