import { type ChildProcess, type SpawnOptions, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What `spawn` and `spawnSync` of Node are to be called with. */
export interface SpawnCall<T extends SpawnOptions> {
  program: string;
  args: readonly string[];
  options: T;
}

/** What cross-spawn makes of a call. Not in its types: execa calls the same function. */
interface Parsed<T extends SpawnOptions> {
  command: string;
  args: readonly string[];
  options: T;
  /** Where the program lies; absent: nowhere on the PATH. */
  file?: string;
}

type Parse = <T extends SpawnOptions>(program: string, args: readonly string[], options: T) => Parsed<T>;

/**
 * Returns what Node has to start so that a program starts as in a terminal. Windows itself starts `.exe` files alone:
 * cross-spawn, as in the SDKs, finds programs by PATHEXT, runs `.cmd` files by `cmd.exe`, and scripts by their first line.
 * @throws Error with the code ENOENT or ENOEXEC, where Windows has no such program, or could only open it as a document
 */
export function spawnCall<T extends SpawnOptions>(
  call: SpawnCall<T>,
  parse: Parse | undefined = parserHere(),
): SpawnCall<T> {
  const { program, args, options } = call;
  if (parse === undefined) return call;
  const parsed = parse(program, args, options);
  if (!parsed.file) throw startError('ENOENT', `${program} is not on the PATH`);
  // What is no program is handed to cmd.exe, too, which would open an editor, or a browser.
  const isForShell = parsed.options.windowsVerbatimArguments === true && !options.windowsVerbatimArguments;
  if (isForShell && !/\.(?:cmd|bat)$/i.test(parsed.file)) throw startError('ENOEXEC', NO_PROGRAM);
  return { program: parsed.command, args: parsed.args, options: parsed.options };
}

const NO_PROGRAM =
  'Windows starts .exe, .com, .cmd and .bat files, and scripts whose first line names their interpreter, such as #!/usr/bin/env node; give the interpreter first: node server.js, or powershell -File server.ps1';

function startError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Loads cross-spawn; on other systems, which need none of this, nothing. */
function parserHere(): Parse | undefined {
  if (process.platform !== 'win32') return undefined;
  const require = createRequire(import.meta.url);
  return (require('cross-spawn') as { _parse: Parse })._parse;
}

/**
 * Ends a process of Windows and all that it has started. There is no way to ask them to: each of them ends at once. Where
 * `taskkill` does not work, the process alone is ended.
 */
export function endProcessTree(child: ChildProcess): void {
  // The number of a process that has ended may be another one's.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const taskkill = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const { status } = spawnSync(taskkill, ['/PID', String(child.pid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  if (status !== 0) child.kill('SIGKILL');
}
