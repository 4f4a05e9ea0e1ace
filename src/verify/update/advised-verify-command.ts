import type { Milliseconds } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { type Timing, timingText } from '../../replay/timing.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import { shellWord } from '../../text-report/shell-word.ts';
import { isLostSuccess } from './lost-success.ts';

/** Options of a test that checks a server. */
export interface CheckOptions {
  ignore?: readonly Ignore[];
  timing?: Timing;
  otherRequests?: boolean;
  patience?: Milliseconds;
  timeMax?: Milliseconds;
  slower?: number;
  allowNotifications?: readonly string[];
  strict?: boolean;
  secrets?: Readonly<Record<string, string | undefined>>;
}

/** A check of a server by a test. */
export interface ServerCheck {
  /** The cassette. */
  file: string;
  /** The server under test: a function in the test's process, or an object with the fields of a command or a URL. */
  server: object;
  options: CheckOptions;
}

/** Fields of a server that affect the command line. */
interface ServerFields {
  url?: string;
  headers?: object;
  env?: object;
}

/**
 * Reports whether updating the cassette makes a failed step pass: the step failed by differing values only, and not by
 * an error in place of a success.
 */
export function isUpdatable({ recorded, live, isMoreThanValues = false }: Step): boolean {
  return (recorded !== undefined || live !== undefined) && !isMoreThanValues && !isLostSuccess(recorded, live);
}

/** Reports whether an update makes all failed steps pass without writing a formerly redacted value. */
export function areUpdatable(failed: readonly Step[]): boolean {
  return failed.every((step) => isUpdatable(step) && (step.details ?? []).length === 0);
}

/**
 * Returns the `verify --update` command line with the options of a test. Without these options, the update would
 * overwrite ignored values. Further lines name the settings that a command line cannot contain.
 */
export function updateCommand(check: ServerCheck): string[] {
  return [verifyCommand('--update', check), ...notCarried(check)];
}

/** Returns the command line that proposes more ignore rules for the test. */
export function proposeCommand(check: ServerCheck): string {
  return verifyCommand('--propose-ignores', check);
}

const ALLOW_NOTIFICATION = '--allow-notification';

/** Returns the option of `verify` that allows notifications of these methods. */
export function allowNotificationOption(methods: readonly string[]): string {
  return methods.map((method) => `${ALLOW_NOTIFICATION} ${shellWord(method)}`).join(' ');
}

function verifyCommand(option: string, { file, server, options }: ServerCheck): string {
  const { ignore = [], timing = 'instant', otherRequests, patience, timeMax, slower, strict, secrets = {} } = options;
  const { allowNotifications = [] } = options;
  const { url, headers = {} } = server as ServerFields;
  const ofUrl = [
    ...(otherRequests ? ['--other-requests'] : []),
    ...Object.keys(headers).flatMap((name) => ['--header', `${name}: …`]),
    '--http',
    'URL',
  ];
  const given = [
    ...ignore.flatMap(ignoreOption),
    ...allowNotifications.flatMap((method) => [ALLOW_NOTIFICATION, method]),
    ...(strict ? ['--strict'] : []),
    ...(Object.keys(secrets).length === 0 ? [] : ['--secrets-from-env', Object.keys(secrets).join(',')]),
    ...(timing === 'instant' ? [] : ['--timing', timingText(timing)]),
    ...(patience === undefined ? [] : ['--timeout', String(Math.ceil(patience))]),
    ...(timeMax === undefined ? [] : ['--max-time', String(Math.ceil(timeMax))]),
    ...(slower === undefined ? [] : ['--slower', `${slower}x`]),
    ...(url === undefined ? [] : ofUrl),
  ];
  const words = ['npx', 'mcp-record', 'verify', option, ...given, file].map(shellWord);
  return [...words, ...(url === undefined ? ['-- COMMAND'] : [])].join(' ');
}

function ignoreOption(ignore: Ignore): string[] {
  if (typeof ignore === 'string') return ['--ignore', ignore];
  return typeof ignore === 'function' ? [] : ['--ignore-pattern', patternOf(ignore)];
}

/**
 * Converts an expression to RE2 syntax with inline flags. Flags without an effect on matching, such as `g`, are
 * dropped.
 */
function patternOf({ source, flags }: RegExp): string {
  const kept = flags.replaceAll(/[^ims]/g, '');
  return kept === '' ? source : `(?${kept})${source}`;
}

function notCarried({ server, options: { ignore = [], secrets = {} } }: ServerCheck): string[] {
  const { env = {} } = server as ServerFields;
  const functions = ignore.filter((one) => typeof one === 'function').length;
  const own = Object.entries(env).filter(([name, value]) => value !== process.env[name]);
  const names = Object.keys({ ...Object.fromEntries(own), ...secrets });
  return [
    ...(functions === 0
      ? []
      : [
          `It cannot carry the ${functions === 1 ? 'function' : `${functions} functions`} in "ignore", and overwrites what the test ignores by it: name these places with --ignore POINTER.`,
        ]),
    ...(names.length === 0 ? [] : [`Set the variables of the test's server for it: ${names.join(', ')}.`]),
  ];
}
