import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { lastLines } from '../../text-report/last-lines.ts';
import type { LeftProcesses } from '../../transports/stdio/leftover-processes.ts';
import { type Attempt, type AttemptOptions, attemptRun } from './attempt-run.ts';
import { wayTo } from './server-address.ts';
import { unreachedServerError } from './unreached-server-error.ts';

export interface ClientBaselineOptions extends Omit<AttemptOptions, 'deadline' | 'fired'> {
  /** Maximum duration of a run, as the user has set it. */
  deadline?: Milliseconds | undefined;
  /** How the recorded session had failed itself. Absent: it had not. */
  recordedFailure?: string | undefined;
  /** Whether the mock server may answer in another order than the recorded one. Default: false. */
  mayReorder?: boolean;
}

/** The run of a client without any fault. */
export interface ClientBaseline {
  duration: Milliseconds;
  /** Maximum duration of the runs with a fault. */
  deadline: Milliseconds;
  /** Lines of the cassette whose messages the mock server sent. */
  lines: ReadonlySet<number>;
  /** Processes that outlived the command. */
  left: LeftProcesses;
  /** A text about each request that the cassette does not answer. */
  unserved: readonly string[];
}

const DEADLINE_MIN: Milliseconds = 2_000;
const TIMES = 10;
const BASELINE_MAX: Milliseconds = 120_000;

/**
 * Runs a command without any fault, and measures it. The deadline of the user limits this run, too.
 * @throws McpRecordError SWEEP_BASELINE where the command fails, SERVER_NOT_REACHED where it never reaches the mock
 * server, COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE
 */
export async function measureClient({
  deadline,
  recordedFailure,
  mayReorder = false,
  ...options
}: ClientBaselineOptions): Promise<ClientBaseline> {
  const { command } = options;
  const run = await attemptRun({ ...options, deadline: deadline ?? BASELINE_MAX });
  if (run.timedOut) throw hangs(command, run);
  if (run.status !== 0) throw fails(command, run, { recordedFailure, mayReorder });
  if (!run.reached) throw unreachedServerError({ subcommand: 'sweep', command, at: run.at, ended: run });
  return {
    duration: run.duration,
    deadline: deadline ?? Math.max(DEADLINE_MIN, TIMES * run.duration),
    lines: new Set(run.journal.flatMap(({ line }) => line ?? [])),
    left: run.left,
    unserved: run.unserved,
  };
}

function hangs(command: readonly string[], { stderr, duration }: Attempt): McpRecordError {
  return new McpRecordError({
    code: 'SWEEP_BASELINE',
    what: `Cannot sweep ${command.join(' ')}`,
    why: `its first run, without any fault, had not ended after ${Math.round(duration)} ms${quoted(stderr)}`,
    next: 'Run it without the sweep and see why it does not end, or give it more time with --deadline.',
  });
}

function fails(
  command: readonly string[],
  { status, signal, stderr, at, unserved }: Attempt,
  { recordedFailure, mayReorder }: Pick<ClientBaselineOptions, 'recordedFailure' | 'mayReorder'>,
): McpRecordError {
  const { does, word, variable } = wayTo(at);
  const advice = unserved[0]?.split('\n').at(-1)?.trim() ?? '';
  return new McpRecordError({
    code: 'SWEEP_BASELINE',
    what: `Cannot sweep ${command.join(' ')}`,
    why: `it ends with ${signal ?? status} without any fault${quoted(stderr)}`,
    next: `${recordedFailure === undefined ? '' : `${recordedFailure}: record a session that succeeds. `}It has to ${does} the mock server that ${word}, or the variable ${variable}, names, and end with 0.${stderr.includes(advice) ? '' : ` ${advice}`}${mayReorder ? ` ${OTHER_ORDER}` : ''}`,
  });
}

/** Next step if answers may have come in another order: the first run of a sweep of orders keeps the recorded one. */
const OTHER_ORDER =
  'Its requests were open at once, so their answers may come in another order than recorded. To see whether that is the reason: mcp-record sweep --orders 100 FILE -- COMMAND';

/** Returns the last lines of standard error, as they follow a reason. */
function quoted(stderr: string): string {
  const said = lastLines(stderr).join('\n    ');
  return said && `:\n    ${said}`;
}
