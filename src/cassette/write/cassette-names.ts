import { basename, extname } from 'node:path';

/** Returns the `n`-th name for a new cassette: `cassette.yaml`, `cassette-2.yaml`, `cassette-3.yaml`, … */
export function numberedName(path: string, n: number): string {
  return n === 1 ? path : withSuffix(path, `-${n}`);
}

/** Returns the path of the cassette for discovery traffic: `cassette.probe.yaml`. */
export function probeName(path: string): string {
  return withSuffix(path, '.probe');
}

/** Reports whether a path is a probe name, perhaps a numbered one: `cassette.probe-2.yaml`. */
export function isProbeName(path: string): boolean {
  return /\.probe(?:-\d+)?$/.test(basename(path, extname(path)));
}

/** Returns the path of a test's recording until the test has passed: `cassette.recording.yaml`. */
export function recordingName(path: string): string {
  return withSuffix(path, '.recording');
}

/** Reports whether a path is a recording name, a numbered one (several recordings at once), or its probe name. */
export function isRecordingName(path: string): boolean {
  return /\.recording(?:-\d+)?(?:\.probe(?:-\d+)?)?\.yaml$/.test(path);
}

export interface SessionName {
  /** The server's command. */
  command: readonly string[];
  date: Date;
  pid: number;
}

/** Returns the file name of a session's cassette in a directory: server, time (UTC) and process id. */
export function sessionName({ command, date, pid }: SessionName): string {
  const time = date.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `${serverName(command)}-${time}-${pid}.yaml`;
}

/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Returns a name that is valid for a file or folder on every system. Windows reserves device names and removes trailing
 * dots.
 */
export function portableName(name: string): string {
  return name.replace(DEVICE, '$&-').replace(/\.+$/, '');
}

/** Programs that start the actual server from their arguments. */
const RUNNERS = new Set([
  'node',
  'npx',
  'npm',
  'bunx',
  'bun',
  'deno',
  'tsx',
  'python',
  'python3',
  'uv',
  'uvx',
  'env',
  'sh',
]);
const GENERIC = new Set(['index', 'main', 'server', 'cli', 'dist', 'build', 'bin', 'src', 'run', 'exec', 'x']);

function serverName(command: readonly string[]): string {
  const words = command.filter((word) => !word.startsWith('-'));
  const target = words.find((word) => !RUNNERS.has(stemOf(word))) ?? words[0] ?? 'server';
  const steps = target.split(/[\\/]/).filter((step) => step !== '' && !step.startsWith('.'));
  const telling =
    steps
      .reverse()
      .map(stemOf)
      .find((stem) => !GENERIC.has(stem)) ?? stemOf(target);
  return portableName(telling.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)) || 'server';
}

function stemOf(path: string): string {
  return basename(path).replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/, '');
}

/** Inserts a suffix before the extension. The folder stays as the user wrote it, with `/` also on Windows. */
function withSuffix(path: string, suffix: string): string {
  const extension = extname(path);
  return path.slice(0, path.length - extension.length) + suffix + extension;
}
