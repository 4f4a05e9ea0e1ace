import { basename, dirname, extname, join } from 'node:path';

/** The `n`-th name to try for a new cassette: `cassette.yaml`, `cassette-2.yaml`, `cassette-3.yaml`, … */
export function numberedName(path: string, n: number): string {
  return n === 1 ? path : withSuffix(path, `-${n}`);
}

/** Returns the path of the cassette for discovery traffic alone: `cassette.probe.yaml`. */
export function probeName(path: string): string {
  return withSuffix(path, '.probe');
}

/** Whether a path is such a name, numbered or not: `cassette.probe-2.yaml`. */
export function isProbeName(path: string): boolean {
  return /\.probe(?:-\d+)?$/.test(basename(path, extname(path)));
}

/** Where a test records until it has passed: `cassette.recording.yaml`. */
export function recordingName(path: string): string {
  return withSuffix(path, '.recording');
}

/** Whether a path is a recording name, a numbered one (several recordings at once), or its probe name. */
export function isRecordingName(path: string): boolean {
  return /\.recording(?:-\d+)?(?:\.probe(?:-\d+)?)?\.yaml$/.test(path);
}

export interface SessionName {
  /** The server's command. */
  command: readonly string[];
  date: Date;
  pid: number;
}

/** The name of a session's cassette in a directory: which server, when (UTC), and which process. */
export function sessionName({ command, date, pid }: SessionName): string {
  const time = date.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `${serverName(command)}-${time}-${pid}.yaml`;
}

/** Names of devices on Windows, whatever extension follows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Returns a name that a file or folder can have on every system: Windows has devices, and cuts off dots at the end. */
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

function withSuffix(path: string, suffix: string): string {
  const extension = extname(path);
  return join(dirname(path), basename(path, extension) + suffix + extension);
}
