import type { Command } from 'commander';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { recordStdio } from '../../record/record-stdio.ts';
import { openParent } from '../../transports/stdio/parent.ts';
import { cannotStart } from '../cannot-start.ts';
import { fail } from '../output.ts';
import { parseGap, redactorFor, TAPE_FELL_SHORT, tapeError } from '../recording.ts';
import { statusOf } from '../status.ts';

interface Options {
  output: string;
  timing: string;
  http?: string;
  redact: boolean;
}

/** `mcp-record record -o FILE -- COMMAND…`: stands in for the server in a client's configuration; with --http, before it. */
export async function run(command: Command): Promise<number> {
  const { output, timing, http, redact } = command.opts<Options>();
  const server = command.args[0] === '--' ? command.args.slice(1) : command.args;
  requireOneServer(server, http);
  if (http !== undefined) return (await import('./record-http.ts')).run(command);
  const gap = parseGap(timing);
  const parent = openParent(systemClock);
  let fellShort = false;
  let endTape = () => {};

  const broken = (error: unknown) => {
    fellShort = true;
    fail(tapeError(output, error));
  };
  const recorder = async () => {
    const [{ Recorder }, { openTape }, redactor] = await Promise.all([
      import('../../record/recorder.ts'),
      import('../open-tape.ts'),
      redactorFor(redact),
    ]);
    const open = () => openTape(output, server);
    const made = new Recorder({ open, clock: systemClock, gap, redactor, failed: broken });
    endTape = () => made.end('complete');
    return made;
  };

  const end = await recordStdio({ command: server, parent, clock: systemClock, recorder, broken });
  endTape();
  await new Promise<void>((resolve) => parent.flushed(resolve));
  if ('error' in end) process.exit(cannotStart(end.error));
  process.exit(statusOf(end.status) || (fellShort ? TAPE_FELL_SHORT : 0));
}

function requireOneServer(command: readonly string[], http: string | undefined): void {
  if (command.length > 0 !== (http !== undefined)) return;
  throw new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: 'Cannot tell which server to record',
    why: http === undefined ? 'there is neither a command nor --http' : 'there is a command and --http',
    next: 'Give either the command that starts it, after --, or its URL: --http https://example.com/mcp',
  });
}
