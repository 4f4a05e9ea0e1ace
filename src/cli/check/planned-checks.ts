import { join } from 'node:path';
import type { RedactionOptions } from '../options/redaction-options.ts';

/** Names of checks, in the order in which `check` runs them. */
export type CheckName = 'secrets' | 'protocol' | 'changes' | 'server';

/** A command of this program that a check runs. */
export interface CheckRun {
  /** Command and its subject, as shown: other arguments may contain credentials. */
  title: string;
  args: readonly string[];
}

/** Check with its commands. */
export interface PlannedCheck {
  name: CheckName;
  runs: readonly CheckRun[];
  /** Reason why no command runs. */
  skipped?: string;
}

export interface CheckOptions extends RedactionOptions {
  base?: string;
  failOn?: string;
  usedBy: readonly string[];
  ignore: readonly string[];
  ignorePattern: readonly string[];
  http?: string;
  header: readonly string[];
  ca?: string;
  timeout?: string;
  allowNotification: readonly string[];
  slower?: string;
  secretsFromEnv?: string;
  reports?: string;
  markdown?: string;
}

export interface PlanOptions {
  /** Files, folders and patterns of the command line. */
  named: readonly string[];
  /** Patterns from `named` that match cassettes on the disk. */
  present: readonly string[];
  /** Cassettes on the disk that match the patterns. */
  cassettes: readonly string[];
  /** Command of the live server. Empty: `--http`, or no server. */
  server: readonly string[];
  options: CheckOptions;
}

/** Returns all checks of a command line. */
export function plannedChecks({ named, present, cassettes, server, options }: PlanOptions): PlannedCheck[] {
  const { base, http } = options;
  const to = reportsOf(options.reports);
  const redaction = redactionArgs(options);
  const compared = (failOn: string) => [
    ...['--fail-on', options.failOn ?? failOn],
    ...repeated('--used-by', options.usedBy),
    ...repeated('--ignore', options.ignore),
    ...repeated('--ignore-pattern', options.ignorePattern),
    ...optional('--slower', options.slower),
  ];
  const live = [
    ...(http === undefined ? [] : ['--http', http]),
    ...repeated('--header', options.header),
    ...optional('--ca', options.ca),
    ...optional('--timeout', options.timeout),
    ...optional('--secrets-from-env', options.secretsFromEnv),
    ...(server.length > 0 ? ['--', ...server] : []),
  ];
  const all = present.join(' ');
  const ofAll = (title: string, args: string[]) =>
    present.length === 0 ? [] : [{ title: `${title} ${all}`, args: [...args, ...present] }];
  const verify = (file: string) => [
    'verify',
    '--strict',
    ...compared('any'),
    ...repeated('--allow-notification', options.allowNotification),
    ...redaction,
    ...to(`verify-${file}`),
    pathOf(file),
    ...live,
  ];
  const diff = (path: string) => ['diff', ...compared('breaking'), ...to(`diff-${path}`), `${base}:`, path];
  return [
    {
      name: 'secrets',
      runs: ofAll('redact --check', ['redact', '--check', ...redaction, ...to('redact')]),
    },
    { name: 'protocol', runs: ofAll('lint', ['lint', ...to('lint')]) },
    base === undefined
      ? {
          name: 'changes',
          runs: [],
          skipped: 'for pull requests: --base origin/main compares the cassettes with that revision',
        }
      : { name: 'changes', runs: named.map((path) => ({ title: `diff ${base}: ${path}`, args: diff(path) })) },
    server.length === 0 && http === undefined
      ? { name: 'server', runs: [], skipped: 'neither a command nor --http' }
      : { name: 'server', runs: cassettes.map((file) => ({ title: `verify ${file}`, args: verify(file) })) },
  ];
}

/** Returns a path that no command takes for an option, even if the name of the cassette begins with `-`. */
function pathOf(file: string): string {
  return file.startsWith('-') ? `./${file}` : file;
}

function redactionArgs(options: RedactionOptions): string[] {
  return [
    ...repeated('--redact-key', options.redactKey),
    ...repeated('--redact-pointer', options.redactPointer),
    ...repeated('--redact-pattern', options.redactPattern),
    ...repeated('--redact-allow', options.redactAllow),
    ...optional('--redact-rules', options.redactRules),
  ];
}

function repeated(option: string, values: readonly string[]): string[] {
  return values.flatMap((value) => [option, value]);
}

function optional(option: string, value: string | undefined): string[] {
  return value === undefined ? [] : [option, value];
}

/** Returns a function that maps the name of a run to its report options. */
function reportsOf(folder: string | undefined): (name: string) => string[] {
  if (folder === undefined) return () => [];
  return (name) => {
    // Files in two folders have two names.
    const path = join(folder, encodeURIComponent(name));
    return ['--junit', `${path}.xml`, '--sarif', `${path}.sarif`];
  };
}
