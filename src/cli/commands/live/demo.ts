import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { McpRecordError } from '../../../kernel/errors.ts';
import { PACKAGE, PROGRAM } from '../../../kernel/installed-package.ts';
import { coloursFor, EXIT, print, printLines } from '../../io/output.ts';
import { endBySignal } from '../../io/signals.ts';
import { requireNewFolder } from '../../options/require-new-folder.ts';

const SOURCES = join(PACKAGE, 'assets', 'demo');
const CASSETTE = 'weather.yaml';
const [CLIENT, SERVER, NEXT_SERVER] = ['client.mjs', 'server.mjs', 'server-2.mjs'] as const;
/** Edit that makes the next version of the server. The edit breaks callers by adding a required argument. */
const CHANGE = ["required: ['city']", "required: ['city', 'country']"] as const;

/** One step of the demonstration. */
interface DemoStep {
  title: string;
  /** Command line, with file names relative to the demonstration's folder. */
  command: readonly string[];
  /** Expected exit status. */
  status: number;
}

const STEPS: readonly DemoStep[] = [
  {
    title: 'Record: the client starts the recorder, and the recorder starts the server.',
    command: ['node', CLIENT, 'mcp-record', 'record', '-o', CASSETTE, '--', 'node', SERVER],
    status: EXIT.ok,
  },
  { title: 'Look: the whole session is in one file.', command: ['mcp-record', 'show', CASSETTE], status: EXIT.ok },
  { title: 'The server is gone.', command: ['rm', SERVER], status: EXIT.ok },
  {
    title: 'Replay: the same client, and the cassette in place of the server.',
    command: ['node', CLIENT, 'mcp-record', 'replay', CASSETTE],
    status: EXIT.ok,
  },
  {
    title: 'Verify: the next version of the server against the cassette.',
    command: ['mcp-record', 'verify', CASSETTE, '--', 'node', NEXT_SERVER],
    status: EXIT.fellShort,
  },
];

/** Runs `mcp-record demo`: records a session, ends the server, replays the session, and verifies a changed server. Exits with 1 if a step came out otherwise. */
export async function run(command: Command): Promise<number> {
  const { output } = command.opts<{ output?: string }>();
  const folder = output === undefined ? mkdtempSync(join(tmpdir(), 'mcp-record-demo-')) : newFolder(output);
  const remove = () => {
    if (output === undefined) rmSync(folder, { recursive: true, force: true });
  };
  endBySignal(remove);
  try {
    writePrograms(folder);
    const { bold } = coloursFor(process.stdout);
    for (const [index, step] of STEPS.entries()) {
      await printLines([...(index > 0 ? [''] : []), bold(`${index + 1}. ${step.title}`), '']);
      await print(`$ ${step.command.join(' ')}\n`);
      const status = await runStep(step, folder);
      if (status !== step.status) throw otherEnd(step, status);
    }
    await printLines(['', bold(FOUND), NEXT, ...(output === undefined ? [] : [`The files are in ${output}.`])]);
    return EXIT.ok;
  } finally {
    remove();
  }
}

const FOUND = 'verify exits with 1: a test fails before a caller does.';
const NEXT = 'With your own server: npx mcp-record record --help';

/** Writes the client, the server and its next version. */
function writePrograms(folder: string): void {
  for (const name of [CLIENT, SERVER]) copyFileSync(join(SOURCES, name), join(folder, name));
  writeFileSync(join(folder, NEXT_SERVER), readFileSync(join(SOURCES, SERVER), 'utf8').replace(...CHANGE));
}

/** Runs a step, which shares the output of this process. */
async function runStep({ command }: DemoStep, cwd: string): Promise<number> {
  const [first = '', ...words] = command;
  if (first === 'rm') {
    for (const name of words) rmSync(join(cwd, name));
    return EXIT.ok;
  }
  const [program = '', ...args] = [first, ...words].flatMap(programOf);
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
  const [status] = await once(child, 'exit');
  return status ?? EXIT.fellShort;
}

/**
 * Replaces the name of a program in the demonstration by the running Node and the running mcp-record, whatever else is
 * installed.
 */
function programOf(word: string): readonly string[] {
  if (word === 'node') return [process.execPath];
  return word === 'mcp-record' ? [process.execPath, PROGRAM] : [word];
}

/**
 * Creates a folder for the files.
 * @throws McpRecordError USAGE_FOLDER_IN_USE if there is something in it
 */
function newFolder(path: string): string {
  requireNewFolder(path, {
    what: `Cannot write the files of the demonstration to ${path}`,
    next: 'Name a folder that does not exist, or leave -o out: nothing is kept then.',
  });
  mkdirSync(path, { recursive: true });
  return path;
}

function otherEnd({ command, status: expected }: DemoStep, status: number): McpRecordError {
  return new McpRecordError({
    code: 'DEMO_FAILED',
    what: `Cannot show ${command.join(' ')}`,
    why: `it ended with ${status}, and ${expected} was expected`,
    next: 'See what it printed above. Run it again with -o FOLDER to keep the files, and report it as an issue.',
  });
}
