import { failedSteps, type Outcome } from '../../text-report/outcome-model.ts';
import type { IgnoreOptions } from '../options/ignore-options.ts';
import { type RedactionOptions, redactionWords } from '../options/redaction-options.ts';
import { commandLine } from '../sweep/again-command.ts';

/** Options of a command that compares a live server with a cassette. Those that `verify` needs, too, are in its hint. */
export interface ComparisonOptions extends RedactionOptions, Partial<IgnoreOptions> {
  http?: string;
  header?: readonly string[];
  ca?: string;
  otherRequests?: boolean;
  allowNotification?: readonly string[];
  awaitEnd?: boolean;
  timeout?: string;
  timing?: string;
  faults?: string;
  fault?: readonly string[];
  seed?: string;
}

/** Values of options that `verify` has without them. */
const DEFAULTS: ReadonlySet<string | undefined> = new Set([undefined, '10000', 'instant']);

/** Returns the `verify` command that proposes what to ignore, with the options given. Values of headers are left out. */
export function proposeCommand(file: string, words: readonly string[], options: ComparisonOptions): string {
  const { http, header = [], ca, otherRequests, awaitEnd, timeout, timing, faults, fault = [], seed } = options;
  const { secretsFromEnv, ignore = [], ignorePattern = [], allowNotification = [] } = options;
  const valued = (name: string, value: string | undefined) => (DEFAULTS.has(value) ? [] : [name, value!]);
  const repeated = (name: string, values: readonly string[]) => values.flatMap((value) => [name, value]);
  const ofUrl = [
    ...repeated(
      '--header',
      header.map((field) => `${field.split(':', 1)[0]}: …`),
    ),
    ...valued('--ca', ca),
    ...(otherRequests ? ['--other-requests'] : []),
  ];
  const given = [
    ...redactionWords(options, (path) => path),
    ...valued('--secrets-from-env', secretsFromEnv),
    ...repeated('--ignore', ignore),
    ...repeated('--ignore-pattern', ignorePattern),
    ...repeated('--allow-notification', allowNotification),
    ...valued('--faults', faults),
    ...repeated('--fault', fault),
    ...valued('--seed', seed),
    ...valued('--timeout', timeout),
    ...valued('--timing', timing),
    ...(awaitEnd ? ['--await-end'] : []),
  ];
  const server = words[0] === '--' ? words : ['--', ...words];
  const target = http === undefined ? [file, ...server] : [...ofUrl, '--http', shownUrl(http), file];
  return commandLine(['verify', '--propose-ignores', ...given, ...target]);
}

function shownUrl(url: string): string {
  return /[@?]/.test(url) ? 'URL' : url;
}

/** Returns a hint if failed steps look as if only values differ that change in each run. */
export async function proposeHint(outcome: Outcome, command: string): Promise<string | undefined> {
  const failed = failedSteps(outcome);
  if (failed.length === 0) return undefined;
  const { newInEachRunHint } = await import('../../verify/propose/propose-patterns.ts');
  const looks = newInEachRunHint(failed);
  return looks && `hint: ${looks} This command proposes rules and options that ignore them: ${command}`;
}
