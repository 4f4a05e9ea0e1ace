import { type ChildProcess, type SpawnOptions, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Arguments for Node's `spawn` and `spawnSync`. */
export interface SpawnCall<T extends SpawnOptions> {
  program: string;
  args: readonly string[];
  options: T;
}

/** Result of cross-spawn's parser, which its types do not include. execa calls the same function. */
interface Parsed<T extends SpawnOptions> {
  command: string;
  args: readonly string[];
  options: T;
  /** Path of the program. Absent: the PATH has no such program. */
  file?: string;
}

type Parse = <T extends SpawnOptions>(program: string, args: readonly string[], options: T) => Parsed<T>;

/**
 * Returns the arguments that start a program on Windows as a terminal does. Windows itself starts `.exe` files only.
 * cross-spawn, as in the SDKs, finds programs by PATHEXT, runs `.cmd` files with `cmd.exe`, and scripts with the
 * interpreter of their first line.
 * @throws Error with the code ENOENT or ENOEXEC, if Windows has no such program or would open it as a document
 */
export function spawnCall<T extends SpawnOptions>(
  call: SpawnCall<T>,
  parse: Parse | undefined = parserHere(),
): SpawnCall<T> {
  const { program, args, options } = call;
  if (parse === undefined) return call;
  const parsed = parse(program, args, options);
  if (!parsed.file) throw startError('ENOENT', `${program} is not on the PATH`);
  // cross-spawn also passes documents to cmd.exe, which would open an editor or a browser.
  const isForShell = parsed.options.windowsVerbatimArguments === true && !options.windowsVerbatimArguments;
  if (isForShell && !/\.(?:cmd|bat)$/i.test(parsed.file)) throw startError('ENOEXEC', NO_PROGRAM);
  return { program: parsed.command, args: parsed.args, options: parsed.options };
}

const NO_PROGRAM =
  'Windows starts .exe, .com, .cmd and .bat files, and scripts whose first line names their interpreter, such as #!/usr/bin/env node; give the interpreter first: node server.js, or powershell -File server.ps1';

function startError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Returns cross-spawn's parser on Windows. Undefined on other systems, where Node's `spawn` suffices. */
function parserHere(): Parse | undefined {
  if (process.platform !== 'win32') return undefined;
  const require = createRequire(import.meta.url);
  return (require('cross-spawn') as { _parse: Parse })._parse;
}

/**
 * Ends a process on Windows with all its child processes, immediately. If `taskkill` fails, only the process itself is
 * ended.
 */
export function endProcessTree(child: ChildProcess): void {
  // The process id of an ended process may have been reused.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const taskkill = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const { status } = spawnSync(taskkill, ['/PID', String(child.pid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  if (status !== 0) child.kill('SIGKILL');
}
