import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import type { Gap } from '../../record/gaps.ts';
import { recordStdio } from '../../record/record-stdio.ts';
import { openParent } from '../../transports/stdio/parent.ts';
import { fail, say } from '../output.ts';
import { statusOf } from '../status.ts';

interface Options {
  output: string;
  timing: string;
}

const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
/** EX_IOERR of sysexits.h: the session went well and its tape did not. */
const TAPE_FELL_SHORT = 74;

/** `mcp-record record -o FILE -- COMMAND…`: stands in for the server in a client's configuration. */
export async function run(command: Command): Promise<number> {
  const { output, timing } = command.opts<Options>();
  const gap = parseGap(timing);
  const server = command.args[0] === '--' ? command.args.slice(1) : command.args;
  const parent = openParent(systemClock);
  let fellShort = false;
  let endTape = () => {};

  const broken = (error: unknown) => {
    fellShort = true;
    fail(tapeError(output, error));
  };
  const recorder = async () => {
    const [{ Recorder }, { TapeFile }, { sessionName }] = await Promise.all([
      import('../../record/recorder.ts'),
      import('../../cassette/tape-file.ts'),
      import('../../cassette/file-name.ts'),
    ]);
    const name = () => sessionName({ command: server, date: systemClock.date(), pid: process.pid });
    const open = () => {
      const inFolder = isFolder(output);
      const path = inFolder ? join(output, name()) : output;
      const tape = new TapeFile(path);
      if (inFolder) say(`recording to ${tape.path}`);
      else if (tape.path !== path) say(`${path} exists and is kept: recording to ${tape.path}`);
      return tape;
    };
    const made = new Recorder({ open, clock: systemClock, gap, failed: broken });
    endTape = () => made.end('complete');
    return made;
  };

  const end = await recordStdio({ command: server, parent, clock: systemClock, recorder, broken });
  endTape();
  await new Promise<void>((resolve) => parent.flushed(resolve));
  if ('error' in end) {
    fail(end.error);
    process.exit(end.error.code === 'COMMAND_NOT_FOUND' ? NOT_FOUND : NOT_EXECUTABLE);
  }
  process.exit(statusOf(end.status) || (fellShort ? TAPE_FELL_SHORT : 0));
}

function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function parseGap(timing: string): Gap {
  if (timing === 'coarse' || timing === 'exact' || timing === 'none') return timing;
  throw new McpRecordError({
    code: 'USAGE_BAD_TIMING',
    what: `Cannot record timing "${timing}"`,
    why: 'it is none of coarse, exact and none',
    next: 'Leave --timing out for coarse gaps.',
  });
}

function tapeError(path: string, error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'TAPE_NOT_WRITTEN',
    what: `Cannot write the cassette ${path}`,
    why: messageOf(error),
    next: 'The session goes on unrecorded. Free the disk or name another place with -o, and record again.',
    cause: error,
  });
}
