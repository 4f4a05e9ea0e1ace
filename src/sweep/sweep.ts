import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { faultsOf, type Point } from './points.ts';
import { type Ended, runCommand } from './run-command.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** Where a command finds the command line of the mock server, if not in its own: as JSON, a list of words. */
export const SERVER_VARIABLE = 'MCP_RECORD_SERVER';
/** In an argument of the command: the words of the mock server's command line. */
export const SERVER_WORDS = '{server}';

export interface SweepOptions {
  /** The client under test. */
  command: readonly string[];
  points: readonly Point[];
  /** The command line of the mock server that misbehaves as a file says, and writes a line for each fault to another. */
  server(faults: string | undefined, journal: string): string[];
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** How many runs at once. */
  jobs: number;
  /** The longest that one run may take. Absent: ten times what it takes without faults, and no less than 2 s. */
  deadline?: Milliseconds | undefined;
  /** Told of each point as it is done. */
  done?(result: Result): void;
}

/** What a point came to. */
export interface Result {
  point: Point;
  verdict: Verdict;
  duration: Milliseconds;
  status?: number;
  /** The end of what the command said on standard error. */
  said: string;
}

const DEADLINE_MIN: Milliseconds = 2_000;
const TIMES = 10;
const BASELINE_MAX: Milliseconds = 120_000;

/**
 * Runs a command once for each point, against the recorded server with that one fault.
 * @throws McpRecordError SWEEP_BASELINE where the command fails without any fault
 */
export async function sweep(options: SweepOptions): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-sweep-'));
  try {
    const baseline = await attempt(options, folder, undefined, BASELINE_MAX);
    if (baseline.status !== 0 || baseline.timedOut) throw fails(options.command, baseline);
    const deadline = options.deadline ?? Math.max(DEADLINE_MIN, TIMES * baseline.duration);
    const results: Result[] = [];
    const waiting = [...options.points.entries()];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, point] = next;
        const ended = await attempt(options, folder, point, deadline);
        const { status, stderr: said, duration } = ended;
        const verdict = verdictOf(ended, point);
        const result: Result = { point, verdict, duration, said, ...(status !== undefined && { status }) };
        results[index] = result;
        options.done?.(result);
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, options.jobs) }, work));
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function attempt(
  { command, server, env, clock }: SweepOptions,
  folder: string,
  point: Point | undefined,
  deadline: Milliseconds,
): Promise<Ended & { fired: boolean }> {
  const name = join(folder, point?.name ?? 'baseline');
  const journal = `${name}.journal`;
  const faults = point && `${name}.yaml`;
  writeFileSync(journal, '');
  if (point && faults) writeFileSync(faults, JSON.stringify(faultsOf(point)));
  const words = server(faults, journal);
  const ended = await runCommand({
    command: command.flatMap((word) => (word === SERVER_WORDS ? words : [word])),
    env: { ...env, [SERVER_VARIABLE]: JSON.stringify(words) },
    deadline,
    clock,
  });
  return { ...ended, fired: readFileSync(journal, 'utf8') !== '' };
}

function fails(command: readonly string[], { status, stderr, timedOut }: Ended): McpRecordError {
  const said = stderr.trim().split('\n').slice(-3).join('\n    ');
  return new McpRecordError({
    code: 'SWEEP_BASELINE',
    what: `Cannot sweep ${command.join(' ')}`,
    why: `it ${timedOut ? 'does not end' : `ends with ${status}`} without any fault${said && `:\n    ${said}`}`,
    next: `It has to start the mock server that ${SERVER_WORDS}, or the variable ${SERVER_VARIABLE}, names, and end with 0.`,
  });
}
