import type { Milliseconds } from '../../kernel/clock.ts';
import { type GridResult, type GridVerdicts, gridText } from '../../sweep/grid-text.ts';
import type { Outcome, Step } from '../../text-report/outcome-model.ts';
import { coloursFor, EXIT, print } from '../io/output.ts';
import { writeReport } from '../io/write-report.ts';
import type { SweepCommandOptions } from './sweep-options.ts';

/** Result of a point, for reports. */
export interface ReportedResult<Verdict extends string> extends GridResult<Verdict> {
  duration: Milliseconds;
  /** Last part of standard error. */
  said: string;
}

export interface SweepReport<Verdict extends string> {
  file: string;
  results: readonly ReportedResult<Verdict>[];
  verdicts: GridVerdicts<Verdict>;
  /** The results as `--json` prints them. */
  json: readonly object[];
  options: Pick<SweepCommandOptions, 'json' | 'junit'>;
}

/** Prints the results of a sweep, and returns its exit status. */
export async function reportSweep<Verdict extends string>(report: SweepReport<Verdict>): Promise<number> {
  const { file, results, verdicts, json, options } = report;
  if (options.junit !== undefined) {
    const { junitXml } = await import('../../text-report/junit.ts');
    writeReport(options.junit, junitXml(outcomeOf(report)));
  }
  const { red, dim } = coloursFor(process.stdout);
  const text = options.json
    ? JSON.stringify({ file, results: json }, undefined, 2)
    : gridText({ results, file, verdicts, paint: { bad: red, dim } }).join('\n');
  await print(`${text}\n`);
  return results.some(({ verdict }) => verdicts.bad.has(verdict)) ? EXIT.fellShort : EXIT.ok;
}

/** Prints the progress of a sweep if standard error is a terminal. */
export function sweepProgress(done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of}${done === of ? '\n' : ''}`);
}

function outcomeOf<Verdict extends string>({ file, results, verdicts }: SweepReport<Verdict>): Outcome {
  const steps = results.map(({ point, verdict, why, duration, said }): Step => {
    const details = [...(why === undefined ? [] : [why]), ...said.split('\n').filter((line) => line !== '')];
    const status = verdicts.bad.has(verdict) ? 'failed' : verdict === 'unreached' ? 'skipped' : 'passed';
    const title = `${point.name} (${point.title})`;
    return { title, line: point.line, status, duration, headline: verdict, details };
  });
  return { title: 'sweep', file, steps, notes: [], duration: results.reduce((sum, one) => sum + one.duration, 0) };
}
