import type { Cassette } from '../../cassette/cassette.ts';
import { type Clock, systemClock as clock, type Milliseconds } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { Limits } from '../../sweep/concurrency-limiter.ts';
import { type Announcing, expectedSessionsText } from '../../sweep/expected-duration.ts';
import type { GridPoint, GridVerdicts } from '../../sweep/grid-text.ts';
import type { WithoutMisbehaviour } from '../../sweep/server/measure-baseline.ts';
import type { ServerUnderTest } from '../../sweep/server/server-under-test-types.ts';
import { leftText } from '../../transports/stdio/leftover-processes.ts';
import { coloursFor, say } from '../io/output.ts';
import { endBySignal } from '../io/signals.ts';
import { givenHeaders } from '../options/header-options.ts';
import { givenIgnores, sayUnusedIgnores } from '../options/ignore-options.ts';
import { outputRedactor } from '../reports/output-redactor.ts';
import { SweepProgress } from '../terminal/sweep-progress.ts';
import { serverTarget } from './server-target.ts';
import { inOrder, limitsFor, noPoints, positiveNumber, type SweepCommandOptions } from './sweep-options.ts';
import { deadlineText, type LeftOut, type ReportedResult, reportSweep } from './sweep-report.ts';

/** Options shared by all server sweeps. */
export interface CommonSweepOptions<Point, Result> extends Required<Announcing> {
  cassette: Cassette;
  target: ServerUnderTest;
  points: readonly Point[];
  ignore: readonly Ignore[];
  clock: Clock;
  room: Limits;
  deadline: Milliseconds | undefined;
  /** Called with skipped points and the reason for skipping each point. */
  leftOut(unfit: readonly { point: Point; why: string }[]): void;
  done(result: Result): void;
  suspected(result: Result): void;
}

export interface ReportedServerSweep<
  Point extends GridPoint,
  Of extends string,
  Result extends ReportedResult<Of> & { point: Point },
> {
  cassette: Cassette;
  /** Command or URL of the server. */
  words: readonly string[];
  options: SweepCommandOptions;
  points: readonly Point[];
  verdicts: GridVerdicts<Of>;
  leftOut?: readonly LeftOut[];
  /** Returns the command that repeats a point with a bad verdict. Absent: none is shown. */
  again?(point: Point): string;
  /** Lines above the results, in place of the grid. */
  head?: readonly string[];
  /** Checks the results of a sweep that was not interrupted. An error that it throws ends the sweep. */
  check?(results: readonly Result[]): void;
  /** Number of points, for people: `9 points: 3 misbehaviours at 3 messages`. */
  size: string;
  /** Returns a result as `--json` prints it. */
  forJson(result: Result): object;
  sweep(
    options: CommonSweepOptions<Point, Result>,
  ): Promise<{ results: Result[]; notRepeated?: readonly LeftOut[] } & WithoutMisbehaviour>;
}

/** Said of a point that looked bad when the sweep was interrupted. */
const NOT_CONFIRMED = 'interrupted before it was looked at again, alone';

/** Advice where calls are answered too soon for a misbehaviour. */
export const NO_POINT_FITS: string =
  'Record a session with a call that the server works on for longer, slow its tool down, or name other --faults.';

/** Sweeps a server, shows the progress, reports the results, and ends this process with the exit status. */
export async function reportedServerSweep<
  Point extends GridPoint,
  Of extends string,
  Result extends ReportedResult<Of> & { point: Point },
>(command: ReportedServerSweep<Point, Of, Result>): Promise<number> {
  const {
    cassette,
    words,
    options,
    points,
    verdicts,
    leftOut = [],
    again,
    head,
    check,
    forJson,
    sweep,
    size,
  } = command;
  const { file } = cassette;
  const jobs = positiveNumber('--jobs', options.jobs);
  const known = new Map<string, Result>();
  let ran = points;
  const skipped = [...leftOut];
  const { red } = coloursFor(process.stderr);
  // Whether a pair is bad is known once its faults have happened alone.
  const shown = head ? { ...verdicts, bad: new Set<Of>() } : verdicts;
  const progress = new SweepProgress({ terminal: process.stderr, file, of: points.length, verdicts: shown, bad: red });
  const given = positiveNumber('--deadline', options.deadline);
  const withAgain = (result: Result): Result =>
    again && verdicts.bad.has(result.verdict) ? { ...result, again: again(result.point) } : result;
  const report = (found: readonly Result[], interrupted?: NodeJS.Signals, deadline?: Milliseconds) => {
    progress.finish();
    const results = found.map(withAgain);
    const json = results.map(forJson);
    const names = new Set(ran.map(({ name }) => name));
    const added = results.flatMap(({ point }) => (names.has(point.name) ? [] : [point]));
    return reportSweep({
      file,
      points: [...added, ...ran],
      results,
      verdicts,
      json,
      leftOut: skipped,
      ...(head && { head: results.some(({ verdict }) => verdicts.bad.has(verdict)) ? [...head, ''] : head }),
      options,
      redactor,
      ...(deadline !== undefined && { foot: deadlineText('answer', deadline, given) }),
      ...(interrupted && { interrupted }),
    });
  };
  const ignores = givenIgnores(options);
  const sent = await givenHeaders(options.http, options.header, process.env);
  const target = await serverTarget(words, { http: options.http, headers: sent.headers });
  const redactor = await outputRedactor(options, sent);
  endBySignal(async (signal) => void (await report(inOrder(points, known), signal)));
  progress.note(`${size}. ${deadlineAhead(given)}`);
  const {
    results,
    notRepeated = [],
    unlikeCassette,
    varying,
    left,
    deadline,
  } = await sweep({
    cassette,
    target,
    points,
    ignore: ignores.ignore,
    clock,
    // All runs share one HTTP server. Runs are sequential, so that a crash can be attributed to one point.
    room: limitsFor(jobs ?? (options.http ? 1 : undefined)),
    deadline: given,
    measured: (expected) => progress.note(expectedSessionsText(expected)),
    leftOut(unfit) {
      const names = new Set(unfit.map(({ point }) => point.name));
      ran = points.filter(({ name }) => !names.has(name));
      skipped.push(...unfit.map(({ point, why }) => ({ title: point.title, line: point.line, why })));
      progress.leaveOut(names.size);
    },
    done(result) {
      known.set(result.point.name, result);
      progress.done(result);
    },
    suspected(result) {
      known.set(result.point.name, { ...result, why: `${result.why ?? ''} (${NOT_CONFIRMED})`.trim() });
    },
  }).finally(() => progress.finish());
  const [first] = skipped;
  if (ran.length === 0 && first) throw noPoints({ file, shard: undefined, why: first.why, next: NO_POINT_FITS });
  skipped.push(...notRepeated, ...varying);
  if (unlikeCassette > 0) {
    say(
      `${file}: the server differs from it without any misbehaviour, in ${unlikeCassette} places: see mcp-record verify.`,
    );
  }
  if (left) {
    say(`${file}: the server leaves ${leftText(left)} behind without any misbehaviour, so no point is judged by that.`);
  }
  check?.(results);
  sayUnusedIgnores(ignores, [cassette]);
  // Child processes of the server may keep its streams open, and must not keep this process running.
  process.exit(await report(results, undefined, deadline));
}

/** Says how long an answer may take, before that is measured. */
function deadlineAhead(given: Milliseconds | undefined): string {
  if (given !== undefined) return `Each answer may take ${given} ms (--deadline).`;
  return 'Sessions as recorded come first, and show how long each answer may take: ten times as long as the slowest, and 2000 ms at least. --deadline MS sets it.';
}
