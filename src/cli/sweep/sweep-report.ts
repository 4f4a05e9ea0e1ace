import type { Milliseconds } from '../../kernel/clock.ts';
import { JsonText } from '../../protocol/json-text.ts';
import type { Redactor } from '../../redact/redactor.ts';
import type { ClientBaseline } from '../../sweep/client/client-baseline.ts';
import { shortMiss } from '../../sweep/client/new-misses.ts';
import { firstPointsText, reportedWithoutLoss } from '../../sweep/client/reported-without-loss.ts';
import type { Result } from '../../sweep/client/sweep-client.ts';
import { type GridPoint, type GridResult, type GridVerdicts, gridText } from '../../sweep/grid-text.ts';
import type { PairVerdict } from '../../sweep/judge-two-fault-runs.ts';
import { lastLines } from '../../text-report/last-lines.ts';
import type { Outcome, Step } from '../../text-report/outcome-model.ts';
import { printable } from '../../text-report/printable-text.ts';
import { leftText } from '../../transports/stdio/leftover-processes.ts';
import { coloursFor, EXIT, printJson, printLines } from '../io/output.ts';
import { writeReport } from '../reports/write-report-file.ts';
import type { SweepCommandOptions } from './sweep-options.ts';
import type { SweptPairs } from './swept-faults.ts';

/** Result of a point, for reports. */
export interface ReportedResult<Verdict extends string> extends GridResult<Verdict> {
  duration: Milliseconds;
  /** Last part of standard error. */
  stderrTail: string;
}

/** Part of the cassette left untested by a sweep. */
export interface LeftOut {
  title: string;
  /** Line of the cassette. */
  line: number;
  /** Reason, with the next step. */
  why: string;
}

export interface SweepReport<Verdict extends string> {
  file: string;
  /** All points, in order. */
  points: readonly GridPoint[];
  /** Results of the points that are done. */
  results: readonly ReportedResult<Verdict>[];
  verdicts: GridVerdicts<Verdict>;
  /** The results as `--json` prints them. */
  json: readonly object[];
  /** What was not run at all. */
  leftOut?: readonly LeftOut[];
  /** Lines above the results, in place of the grid. */
  head?: readonly string[];
  /** A line on all results, before them. */
  summary?: string | undefined;
  /** A line after the results. */
  foot?: string;
  options: Pick<SweepCommandOptions, 'json' | 'junit'>;
  /** Redacts what the program under test has said, and its command line. */
  redactor: Redactor;
  /** The signal that ended the sweep before all points were done. */
  interrupted?: NodeJS.Signals;
}

/** Prints the results of a sweep, and returns its exit status. */
export async function reportSweep<Verdict extends string>(found: SweepReport<Verdict>): Promise<number> {
  const report = withoutSecretsIn(found);
  const { file, points, results, verdicts, leftOut = [], head, summary, foot, options, interrupted } = report;
  const done = new Set(results.map(({ point }) => point.name));
  const left = points.filter(({ name }) => !done.has(name));
  if (options.junit !== undefined) {
    const { junitXml } = await import('../../text-report/junit.ts');
    writeReport(options.junit, junitXml(outcomeOf(report, left)));
  }
  const { red, dim } = coloursFor(process.stdout);
  const skipped = leftOut.length > 0 && { leftOut };
  const broken = interrupted && { interrupted, left: left.map(({ name }) => name) };
  if (options.json) await printJson({ file, results: report.json, ...skipped, ...broken });
  else {
    const grid = gridText({ results, file, verdicts, paint: { bad: red, dim }, hasGrid: head === undefined });
    const lines = [...(summary ? [summary, ''] : []), ...(head ?? []), ...grid, ...leftOutText(leftOut, file)];
    const bad = worstWithStderr(results, verdicts);
    if (bad)
      lines.push('', `standard error of ${bad.point.name}:`, ...lastLines(bad.stderrTail).map((line) => `    ${line}`));
    if (foot !== undefined) lines.push('', dim(foot));
    const note = `${left.length} of ${points.length} points were not run: interrupted by ${interrupted}`;
    await printLines(broken ? [...lines, red(note)] : lines);
  }
  return results.some(({ verdict }) => verdicts.bad.has(verdict)) ? EXIT.fellShort : EXIT.ok;
}

/**
 * Returns a line about the deadline of a sweep. `given`: value of the option. Undefined: the sweep measured the
 * deadline.
 */
export function deadlineText(what: string, deadline: Milliseconds, given: Milliseconds | undefined): string {
  const why = given === undefined ? 'measured without a fault, and set with --deadline MS' : 'set with --deadline';
  return `The deadline of each ${what} was ${Math.round(deadline)} ms (${why}).`;
}

/** Returns lines about points at which a client gave up although no answer was lost. Such a verdict is good, and easy to overlook. */
export function withoutLossText(
  results: readonly (Pick<Result, 'point' | 'verdict'> & { stderrTail: string })[],
  { text }: Pick<Redactor, 'text'>,
): string[] {
  const found = reportedWithoutLoss(results);
  if (found.length === 0) return [];
  const { point, stderrTail } = found.find((one) => one.stderrTail.trim() !== '') ?? found[0]!;
  const said = lastLines(text(stderrTail), REASON_LINES).map((line) => `    ${printable(line)}`);
  return [
    `It gave up although no answer was lost: ${firstPointsText(found)}. This counts as reported, so as good (docs/sweep.md of this package, "Giving up without need").`,
    ...(stderrTail.trim() === '' ? [] : [`standard error of ${point.name}:`, ...said]),
  ];
}

/** Returns a line about clients over stdio that gave up, since each server that they started had the fault. */
export function metAgainNote(results: readonly Pick<Result, 'point' | 'verdict' | 'metAgain'>[]): string[] {
  const found = results.filter(({ verdict, metAgain }) => verdict === 'reported' && metAgain);
  if (found.length === 0) return [];
  return [
    `It started the server again and met the fault again, so recovery was not tested: ${firstPointsText(found)} (docs/sweep.md of this package, "What no verdict sees").`,
  ];
}

/** Returns a line about points at which a client passed, and sent requests that the cassette does not have. */
export function missesNote(
  results: readonly Pick<Result, 'point' | 'verdict' | 'misses'>[],
  { text }: Pick<Redactor, 'text'>,
): string[] {
  const found = results.filter(({ verdict, misses }) => verdict === 'passed' && misses !== undefined);
  const [first] = found;
  if (first === undefined) return [];
  const said = printable(text(shortMiss(first.misses![0]!)));
  return [
    `It passed, but sent requests that the cassette does not have: ${firstPointsText(found)}. Did it take a damaged answer? ${first.point.name}: ${said}`,
  ];
}

/** Returns what a client does wrong without a fault, although it ends well. */
export function baselineNotes({ left, unserved }: ClientBaseline, { text }: Pick<Redactor, 'text'>): string[] {
  const calls = [...new Set(unserved.map(shortMiss))];
  return [
    ...(left ? [`the client leaves ${leftText(left)} behind without any fault, too`] : []),
    ...calls.map(
      (call) => `without any fault, too, the client sends a request that the cassette does not have: ${text(call)}`,
    ),
  ];
}

/** Number of lines of standard error that show why a client gave up. */
const REASON_LINES = 4;

/**
 * Returns a report without secrets. Titles of messages have them, too: the recorded client that a server is swept with
 * got its real secrets back, and may say them in a URI or in the name of a tool.
 */
function withoutSecretsIn<Verdict extends string>(found: SweepReport<Verdict>): SweepReport<Verdict> {
  const { redactor, leftOut = [] } = found;
  const said = found.results.map(({ why, again, stderrTail }) => ({ why, again, stderrTail }));
  const safe = withoutSecrets(said, redactor);
  const titled = <Point extends GridPoint>(points: readonly Point[]): Point[] => {
    const titles = withoutSecrets(
      points.map(({ title }) => ({ title })),
      redactor,
    );
    return points.map((point, index) => ({ ...point, ...titles[index] }));
  };
  const pointsOfResults = titled(found.results.map(({ point }) => point));
  return {
    ...found,
    points: titled(found.points),
    results: found.results.map((result, index) => ({ ...result, ...safe[index], point: pointsOfResults[index]! })),
    leftOut: withoutSecrets(leftOut, redactor),
    json: withoutSecrets(found.json, redactor),
  };
}

/**
 * Returns data without secrets. All items are searched once before the first is redacted, because a later item may
 * reveal that an earlier value is secret.
 */
function withoutSecrets<Data>(items: readonly Data[], { json }: Redactor): Data[] {
  const safe = (item: Data) => json(new JsonText(JSON.stringify(item))).text;
  for (const item of items) safe(item);
  return items.map((item) => JSON.parse(safe(item)) as Data);
}

/** Returns the bad result whose standard error explains most: a crash, or else any point that was reached. */
function worstWithStderr<Verdict extends string>(
  results: readonly ReportedResult<Verdict>[],
  { bad }: Pick<GridVerdicts<Verdict>, 'bad'>,
): ReportedResult<Verdict> | undefined {
  const said = results.filter(({ verdict, stderrTail }) => bad.has(verdict) && stderrTail.trim() !== '');
  return (
    said.find(({ verdict }) => verdict === 'crashed') ?? said.find(({ verdict }) => verdict !== 'unreached') ?? said[0]
  );
}

function outcomeOf<Verdict extends string>(
  { file, results, verdicts, leftOut = [], interrupted }: SweepReport<Verdict>,
  left: readonly GridPoint[],
): Outcome {
  const steps = results.map(({ point, verdict, why, again, duration, stderrTail }): Step => {
    const details = [
      ...(why === undefined ? [] : [why]),
      ...(again === undefined ? [] : [`again: ${again}`]),
      ...stderrTail.split('\n').filter((line) => line !== ''),
    ];
    const isSkipped = verdict === 'unreached' || verdicts.neutral?.has(verdict);
    const status = verdicts.bad.has(verdict) ? 'failed' : isSkipped ? 'skipped' : 'passed';
    return { title: titleOf(point), line: point.line, status, duration, headline: verdict, details };
  });
  const notRun = left.map((point): Step => {
    const headline = `not run: interrupted by ${interrupted}`;
    return { title: titleOf(point), line: point.line, status: 'skipped', headline };
  });
  const notCalled = leftOut.map(({ title, line, why }): Step => ({ title, line, status: 'skipped', headline: why }));
  const duration = results.reduce((sum, one) => sum + one.duration, 0);
  return { title: 'sweep', file, steps: [...steps, ...notRun, ...notCalled], notes: [], duration };
}

/** Maximum number of skipped parts that a line names. */
const NAMED_MAX = 3;

/** Groups the skipped parts by reason. Returns one line for each reason. */
function leftOutText(leftOut: readonly LeftOut[], file: string): string[] {
  const reasons = [...new Set(leftOut.map(({ why }) => why))];
  const lines = reasons.map((why) => {
    const counts = new Map<string, number>();
    for (const { title, line } of leftOut.filter((one) => one.why === why)) {
      const place = printable(`${title} (${file}:${line})`);
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    const places = [...counts].map(([place, count]) => (count === 1 ? place : `${count} of ${place}`));
    if (places.length <= NAMED_MAX) return `left out ${places.join(', ')}: ${why}`;
    const sumOf = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0);
    const more = sumOf([...counts.values()].slice(NAMED_MAX));
    const first = places.slice(0, NAMED_MAX).join(', ');
    return `left out ${sumOf([...counts.values()])}: ${first} and ${more} more, which --json lists: ${why}`;
  });
  return lines.length > 0 ? ['', ...lines] : [];
}

function titleOf({ name, title }: GridPoint): string {
  return `${name} (${title})`;
}

export interface PairReportOptions<Verdict extends string> extends Pick<SweptPairs<unknown>, 'head'> {
  verdicts: GridVerdicts<PairVerdict<Verdict>>;
  /** Returns the command that repeats a point. */
  again(name: string): string;
}

/**
 * Formats the results of a sweep of pairs: one summary line in place of the grid, and the command that repeats each
 * failing pair.
 */
export function pairReport<Verdict extends string, Result extends ReportedResult<PairVerdict<Verdict>>>(
  judged: readonly Result[],
  { head, verdicts, again }: PairReportOptions<Verdict>,
): Pick<SweepReport<PairVerdict<Verdict>>, 'results' | 'verdicts' | 'head'> {
  const isBad = ({ verdict }: Result) => verdicts.bad.has(verdict);
  return {
    head: judged.some(isBad) ? [head, ''] : [head],
    verdicts,
    results: judged.map((result) => (isBad(result) ? { ...result, again: again(result.point.name) } : result)),
  };
}
