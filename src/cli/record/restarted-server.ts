import { statSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Channel } from '../../channel/channel.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { type WatchedTree, watchTree } from '../../kernel/watch-paths.ts';
import { lineSendingParent } from '../../restart/line-sending-parent.ts';
import { RestartingServer } from '../../restart/restarting-server.ts';
import { shellWord } from '../../text-report/shell-word.ts';
import { startChild } from '../../transports/stdio/child-process.ts';
import type { Parent } from '../../transports/stdio/parent-channel.ts';
import { restartOccasions } from './restart-occasions.ts';

/** Options of a command that starts a server again. */
export interface RestartOptions {
  restartOn?: string;
  watch: string[];
  http?: string;
}

/** Server that restarts while its client stays connected. */
export interface RestartedServer {
  /** Starts the server. Calls `failed` if that is impossible. */
  channel(failed: (error: McpRecordError) => void): Channel;
  /** Returns the channel to the client, which also carries messages that this program sends in place of a server. */
  client(parent: Parent): Parent;
  /** Reports whether the server was given up. */
  hasGivenUp(): boolean;
  /** Names of the watched files for standard error. Undefined: no files are watched. */
  watching: string | undefined;
}

/** File name extensions of programs that a person edits or a build produces. */
const SCRIPT =
  /\.(?:[cm]?[jt]sx?|pyw?|rb|php|pl|lua|sh|bash|ps1|cmd|bat|go|rs|java|kt|scala|cs|fs|swift|dart|exs?|jar|dll|wasm|exe)$/i;

/** Programs that merely run the server. Changes to these files are not watched. */
const RUNNER =
  /^(?:node|bun|deno|npx|npm|pnpm|yarn|tsx|python[\d.]*|uvx?|pipx?|ruby|php|perl|java|dotnet|env|sh|bash|zsh|cmd|docker|podman)(?:\.(?:exe|cmd))?$/i;

/**
 * Returns the server of a command line with `--restart-on`.
 * @throws McpRecordError USAGE_BAD_RESTART_ON, USAGE_RESTART_HTTP, USAGE_BAD_WATCH, USAGE_NOTHING_TO_WATCH, or
 * USAGE_OPTION_WITHOUT_MEANING
 */
export function restartedServer(command: readonly string[], options: RestartOptions): RestartedServer {
  const { onChange, onCrash } = restartOccasions(options.restartOn ?? '');
  if (options.http !== undefined) throw cannotKeep(options.http);
  if (!onChange && options.watch.length > 0) throw watchedForNothing();
  const tree = onChange ? treeOf(command, options) : undefined;
  const here = process.cwd();
  const shown = (path: string) => (path.startsWith(here + sep) ? relative(here, path) : path);
  let server: RestartingServer | undefined;
  return {
    channel(failed) {
      server = new RestartingServer({
        start: (listener) => startChild({ command, clock, ...listener }),
        clock,
        onCrash,
        watch: tree && ((changed) => watchTree(tree, (path) => changed(shown(path)))),
        failed,
      });
      return server;
    },
    client: (parent) => lineSendingParent(parent, clock),
    hasGivenUp: () => server?.hasGivenUp ?? false,
    watching: tree && watchingText([...tree.files, ...tree.folders].map(shown), options),
  };
}

/** Says what is watched. Scripts of a command are watched alone, and what they import changes more often. */
function watchingText(paths: readonly string[], { watch }: RestartOptions): string {
  const text = `watching ${paths.join(', ')}`;
  return watch.length > 0
    ? text
    : `${text} (not what ${paths.length === 1 ? 'it imports' : 'they import'}: add --watch ${shellWord(dirname(paths[0]!))})`;
}

/** Returns the watched files: the paths given by the user, and the scripts of the command. */
function treeOf(command: readonly string[], { watch }: RestartOptions): WatchedTree {
  const named = watch.map((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat) return { path: resolve(path), isFolder: stat.isDirectory() };
    throw new McpRecordError({
      code: 'USAGE_BAD_WATCH',
      what: `Cannot watch ${path}`,
      why: 'there is no such file or folder',
      next: `Paths are read from ${process.cwd()}. Name one that exists.`,
    });
  });
  const files = [...named.filter(({ isFolder }) => !isFolder).map(({ path }) => path), ...scriptsIn(command)];
  const folders = named.filter(({ isFolder }) => isFolder).map(({ path }) => path);
  if (files.length + folders.length === 0) throw nothingToWatch(command);
  return {
    files: [...new Set(files)],
    folders,
    isWatched: (path) => SCRIPT.test(path),
    clock,
  };
}

/** Returns the files of a command line that are a program. */
function scriptsIn([program = '', ...args]: readonly string[]): string[] {
  const isProgram = /[\\/]/.test(program) && !RUNNER.test(basename(program));
  const words = [...(isProgram ? [program] : []), ...args.filter((word) => SCRIPT.test(word))];
  return words.filter((word) => statSync(word, { throwIfNoEntry: false })?.isFile()).map((word) => resolve(word));
}

function cannotKeep(url: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_RESTART_HTTP',
    what: `Cannot keep a session with the server at ${url}`,
    why: 'with --stdio, the recorder keeps none',
    next: 'Leave --stdio out, and give the client the URL of the recorder. Or leave --restart-on out.',
  });
}

function watchedForNothing(): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_OPTION_WITHOUT_MEANING',
    what: 'Cannot use --watch',
    why: 'it has a meaning only with --restart-on change',
    next: 'Write --restart-on change,crash to restart on both, or leave --watch out.',
  });
}

function nothingToWatch(command: readonly string[]): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_NOTHING_TO_WATCH',
    what: 'Cannot tell which files to watch',
    why: `the command names no script that exists: ${command.join(' ')}`,
    next: 'Name the files or folders of the server: --restart-on change --watch src',
  });
}
