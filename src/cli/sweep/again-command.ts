import { shellWord } from '../../text-report/shell-word.ts';
import { isStartedByNpx } from '../io/end-with-npx.ts';
import type { SweepCommandOptions } from './sweep-options.ts';

/** Returns the command words that start this program: with or without npx, as in the present run. */
export function programWords(env: NodeJS.ProcessEnv = process.env): string[] {
  return isStartedByNpx(env) ? ['npx', 'mcp-record'] : ['mcp-record'];
}

/** Point of a sweep, with the options that the point depends on. */
export interface PointOptions {
  /** Name of the point. */
  point: string;
  /** Seed of the arguments, in a sweep of inputs. */
  seed: number;
  options: Omit<SweepCommandOptions, 'point'>;
}

export interface AgainCommand extends Pick<PointOptions, 'point' | 'options'> {
  /** The cassette. */
  file: string;
  /** Absent: the sweep has no inputs. */
  seed?: number;
  /** Command or URL of the server. */
  words: readonly string[];
}

/** Returns options that select a point and reproduce its run. Header values are left out. */
export function pointOptionWords({ point, seed, options }: PointOptions): string[] {
  const { server, http, inputs, destructive, faults, deadline, otherRequests, secretsFromEnv } = options;
  const { ignore, ignorePattern, header } = options;
  return [
    ...(server ? ['--server'] : []),
    ...(http ? ['--http'] : []),
    ...(inputs ? ['--inputs', ...(destructive ? ['--destructive'] : []), '--seed', String(seed)] : []),
    '--point',
    point,
    // `--point` alone does not carry the parameters of a fault.
    ...(!server && faults?.includes(':') ? ['--faults', faults] : []),
    ...(deadline === undefined ? [] : ['--deadline', deadline]),
    ...(otherRequests ? ['--other-requests'] : []),
    ...(secretsFromEnv === undefined ? [] : ['--secrets-from-env', secretsFromEnv]),
    ...ignore.flatMap((pointer) => ['--ignore', pointer]),
    ...ignorePattern.flatMap((pattern) => ['--ignore-pattern', pattern]),
    ...header.flatMap((field) => ['--header', `${field.split(':', 1)[0]}: …`]),
  ];
}

/** Returns the command line that repeats one point of a sweep. */
export function againCommand({ file, point, seed = 1, words, options }: AgainCommand): string {
  const given = pointOptionWords({ point, seed, options });
  return commandLine(['sweep', ...given, file, ...programUnderTest(words, options)]);
}

/** Returns the words of the program under test as they end a command line. */
export function programUnderTest(
  words: readonly string[],
  { server, http }: Pick<SweepCommandOptions, 'server' | 'http'>,
): readonly string[] {
  return server && http ? words : ['--', ...words];
}

/** Returns a command line of this program, in words of a shell. */
export function commandLine(words: readonly string[]): string {
  return [...programWords(), ...words].map(shellWord).join(' ');
}
