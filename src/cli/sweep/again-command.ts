import { shellWord } from '../../text-report/shell-word.ts';
import { isStartedByNpx } from '../io/end-with-npx.ts';
import type { SweepCommandOptions } from './sweep-options.ts';

/** Returns the words that start this program as it was started: by npx, or by its name. */
export function programWords(env: NodeJS.ProcessEnv = process.env): string[] {
  return isStartedByNpx(env) ? ['npx', 'mcp-record'] : ['mcp-record'];
}

export interface AgainCommand {
  /** The cassette. */
  file: string;
  /** Name of the point. */
  point: string;
  /** Seed of the arguments, in a sweep of inputs. */
  seed?: number;
  /** The command of the server, or its URL. */
  words: readonly string[];
  options: SweepCommandOptions;
}

/** Returns the command line that repeats one point of a sweep of a server. Values of headers are left out. */
export function againCommand({ file, point, seed, words, options }: AgainCommand): string {
  const { http, destructive, deadline, otherRequests, secretsFromEnv, ignore, ignorePattern, header } = options;
  const given = [
    ...(http ? ['--http'] : []),
    ...(seed === undefined ? [] : ['--inputs', ...(destructive ? ['--destructive'] : []), '--seed', String(seed)]),
    '--point',
    point,
    ...(deadline === undefined ? [] : ['--deadline', deadline]),
    ...(otherRequests ? ['--other-requests'] : []),
    ...(secretsFromEnv === undefined ? [] : ['--secrets-from-env', secretsFromEnv]),
    ...ignore.flatMap((pointer) => ['--ignore', pointer]),
    ...ignorePattern.flatMap((pattern) => ['--ignore-pattern', pattern]),
    ...header.flatMap((field) => ['--header', `${field.split(':', 1)[0]}: …`]),
  ];
  const server = http ? words : ['--', ...words];
  return [...programWords(), 'sweep', '--server', ...given, file, ...server].map(shellWord).join(' ');
}
