import { formatCount } from '../../kernel/format-count.ts';
import { EXIT } from '../io/output.ts';
import type { CheckName, CheckRun } from './planned-checks.ts';

/** A command that has ended. */
export interface EndedRun extends CheckRun {
  /** Exit status, as of a shell. */
  status: number;
  /** Standard output and standard error, as they came. */
  output: string;
}

/** A check whose commands have ended. */
export interface CheckResult {
  name: CheckName;
  runs: readonly EndedRun[];
  skipped?: string;
}

export type Verdict = 'passed' | 'failed' | 'not checked' | 'skipped';

/** Returns the verdict of a check. A run that could not check anything outweighs one that failed. */
export function verdictOf({ runs, skipped }: CheckResult): Verdict {
  if (skipped !== undefined) return 'skipped';
  if (runs.some(({ status }) => status > EXIT.fellShort)) return 'not checked';
  return runs.some(({ status }) => status === EXIT.fellShort) ? 'failed' : 'passed';
}

/** Returns the exit status of all checks: 2 if a check could not run, 1 if a check failed. */
export function statusOf(results: readonly CheckResult[]): number {
  const verdicts = results.map(verdictOf);
  if (verdicts.includes('not checked')) return EXIT.usage;
  return verdicts.includes('failed') ? EXIT.fellShort : EXIT.ok;
}

/** Summarizes the result of a check: the last line of its only command, or the number of failed commands. */
export function summaryOf({ name, runs, skipped }: CheckResult): string {
  if (skipped !== undefined) return skipped;
  const [only, ...others] = runs;
  if (name === 'changes') return runs.map(({ status, output }) => resultIn(status, output)).join('; ');
  if (only === undefined) return 'no cassette';
  if (others.length === 0) return resultIn(only.status, only.output);
  const bad = runs.filter(({ status }) => status !== EXIT.ok).length;
  return `${bad === 0 ? '' : `${bad} of `}${formatCount(runs.length, 'cassette')}`;
}

function resultIn(status: number, output: string): string {
  return status > EXIT.fellShort ? errorIn(output) : lastLineOf(output);
}

/** Returns the first error of a command that could not check anything. */
function errorIn(output: string): string {
  const line = output.split('\n').find((one) => /^mcp-record: .*\[[A-Z_]+\]$/.test(one));
  return line?.slice('mcp-record: '.length) ?? lastLineOf(output);
}

function lastLineOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^(?:hint|note): /.test(line));
  return lines.at(-1)?.trim() ?? '';
}

/** Returns the lines for a terminal that sum up all checks. */
export function summaryLines(results: readonly CheckResult[]): string[] {
  const marks: Record<Verdict, string> = { passed: '✓', failed: '✗', 'not checked': '✗', skipped: '-' };
  return results.map((result) => {
    const verdict = verdictOf(result);
    return `${marks[verdict]} ${result.name.padEnd(8)}  ${verdict}: ${summaryOf(result)}`;
  });
}
