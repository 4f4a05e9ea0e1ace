import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { lastLines } from '../../text-report/last-lines.ts';
import { type Attempt, type AttemptOptions, attemptRun } from './attempt-run.ts';
import { wayTo } from './server-address.ts';
import { unreachedServerError } from './unreached-server-error.ts';

export interface ClientBaselineOptions extends Omit<AttemptOptions, 'deadline' | 'fired'> {
  /** Maximum duration of a run, as the user has set it. */
  deadline?: Milliseconds | undefined;
}

/** The run of a client without any fault. */
export interface ClientBaseline {
  /** Maximum duration of the runs with a fault. */
  deadline: Milliseconds;
  /** Number of messages that the mock server sent. */
  messages: number;
}

const DEADLINE_MIN: Milliseconds = 2_000;
const TIMES = 10;
const BASELINE_MAX: Milliseconds = 120_000;

/**
 * Runs a command without any fault, and measures it.
 * @throws McpRecordError SWEEP_BASELINE where the command fails, SERVER_NOT_REACHED where it never reaches the mock
 * server, COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE
 */
export async function measureClient({ deadline, ...options }: ClientBaselineOptions): Promise<ClientBaseline> {
  const { command } = options;
  const run = await attemptRun({ ...options, deadline: BASELINE_MAX });
  if (run.status !== 0 || run.timedOut) throw fails(command, run);
  if (!run.reached) throw unreachedServerError({ subcommand: 'sweep', command, at: run.at, ended: run });
  return {
    deadline: deadline ?? Math.max(DEADLINE_MIN, TIMES * run.duration),
    messages: run.journal.reduce((most, { message = 0 }) => Math.max(most, message), 0),
  };
}

function fails(command: readonly string[], { status, stderr, timedOut, at }: Attempt): McpRecordError {
  const said = lastLines(stderr).join('\n    ');
  const { does, word, variable } = wayTo(at);
  return new McpRecordError({
    code: 'SWEEP_BASELINE',
    what: `Cannot sweep ${command.join(' ')}`,
    why: `it ${timedOut ? 'does not end' : `ends with ${status}`} without any fault${said && `:\n    ${said}`}`,
    next: `It has to ${does} the mock server that ${word}, or the variable ${variable}, names, and end with 0.`,
  });
}
