import type { Milliseconds } from '../../src/kernel/clock.ts';
import type { ReplayOutcome } from '../../src/replay/findings/replay-outcome.ts';
import type { Plant, Row, Verdict } from './rows.ts';

/** How much is asked for: what holds by default, all that can be compared, or that without messages that never come. */
export type Asked = 'default' | 'request' | 'difference';

/** Memory alone; processes; the network, from this process; or what stands in for the network of this process. */
export type RunsIn = 'memory' | 'processes' | 'network' | 'msw' | 'nock';

/** Whether a run failed; its report, where there is one. */
export type Failure = boolean | string;

/** The failures of an outcome as text, or false where there are none. */
export function failureOf({ failed, failures }: ReplayOutcome): Failure {
  return failed && (JSON.stringify(failures) || true);
}

/** One way to hold a live peer to a cassette. */
export interface EntryPoint {
  name: string;
  /** What makes it compare all that it can, as its user writes it; empty where it does so by itself. */
  request: string;
  /** The same without messages that never come. Absent: there is no other way to write it. */
  difference?: string;
  /** What a play of it needs. */
  runsIn: RunsIn;
  /** What it makes of each kind of difference, or the part of a row that says which of its plants it finds. */
  verdicts: Record<Row['compared'], Verdict> | 'diff' | 'lint';
  /**
   * Plays what the cassette `live` has of the live side against the cassette `recorded`. True: the run fails. A mock client
   * waits so long for what a server does not send.
   */
  fails(recorded: string, live: string, asked: Asked, patience: Milliseconds): Promise<Failure>;
  /** The same for many live sides, which share what need not be started for each. True: the run fails. */
  anyFails?(recorded: string, live: readonly string[], asked: Asked): Promise<Failure>;
}

/** What a planted difference of this row does to a run of an entry point. */
export function verdictOf(row: Row, { title }: Plant, { verdicts }: EntryPoint): Verdict {
  if (typeof verdicts === 'object') return verdicts[row.compared];
  const found = row[verdicts];
  const isFound = found === 'all' || (found !== 'none' && found.includes(title));
  return isFound ? 'default' : 'no';
}
