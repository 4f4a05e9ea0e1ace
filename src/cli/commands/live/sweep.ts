import type { Command } from 'commander';
import { type Milliseconds, systemClock } from '../../../kernel/clock.ts';
import { unplayableFindingsOf } from '../../../replay/findings/unplayable-findings.ts';
import { stripHttp } from '../../../replay/prepare/strip-http.ts';
import { measureClient } from '../../../sweep/client/client-baseline.ts';
import { type FaultCase, faultMatrix, sweptOn } from '../../../sweep/client/fault-cases.ts';
import { AFTER_END_MAX } from '../../../sweep/client/run-command.ts';
import { type Result, sweep } from '../../../sweep/client/sweep-client.ts';
import {
  drawFaultPairs,
  faultPair,
  type JudgedPair,
  PAIR_VERDICTS,
  whyNoFaultPair,
} from '../../../sweep/client/two-faults-per-run.ts';
import { CLIENT_VERDICTS, hungSummary, type Verdict } from '../../../sweep/client/verdict.ts';
import type { Limits } from '../../../sweep/concurrency-limiter.ts';
import { expectedRunsText, longestRuns, pointsText, roundedUpTime } from '../../../sweep/expected-duration.ts';
import { recordedFailure } from '../../../sweep/failure-in-recording.ts';
import { judgedPairs } from '../../../sweep/judge-two-fault-runs.ts';
import { mayReorder } from '../../../sweep/orders/concurrent-messages.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { coloursFor, say } from '../../io/output.ts';
import { endBySignal } from '../../io/signals.ts';
import { outputRedactor } from '../../reports/output-redactor.ts';
import { againCommand } from '../../sweep/again-command.ts';
import { mockServerTargets } from '../../sweep/mock-server-command-lines.ts';
import {
  asksForAll,
  asksForOrders,
  inOrder,
  limitsFor,
  noPoints,
  noSecondFault,
  positiveNumber,
  type SweepCommandOptions,
  selectPoints,
  unreachedFaultsAdvice,
} from '../../sweep/sweep-options.ts';
import {
  baselineNotes,
  deadlineText,
  type LeftOut,
  metAgainNote,
  missesNote,
  pairReport,
  reportSweep,
  withoutLossText,
} from '../../sweep/sweep-report.ts';
import {
  allFaultsOn,
  asksForPairs,
  checkFaultCase,
  isNoticeable,
  leftOutFaults,
  type PairsOf,
  type SweptPairs,
  sweptFaults,
  sweptPairs,
  withoutPoint,
} from '../../sweep/swept-faults.ts';
import { SweepProgress } from '../../terminal/sweep-progress.ts';

/**
 * `mcp-record sweep FILE -- COMMAND…`: fails every message of the recorded server in every way, and watches the client.
 * With `--server`: misbehaves at every message of the recorded client, and watches the server.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<SweepCommandOptions>();
  const [file = '', ...rest] = command.args;
  const words = rest[0] === '--' ? rest.slice(1) : rest;
  if (options.server) return (await import('../../sweep/run-server-sweep.ts')).runServerSweep({ file, words, options });
  if (asksForOrders(options)) {
    return (await import('../../sweep/orders/run-order-sweep.ts')).runOrderSweep({ file, words, options });
  }
  const cassette = loadWithProgress(file);
  for (const warning of cassette.warnings) say(warning);
  for (const { text } of unplayableFindingsOf(cassette, 'server')) say(text);
  const transport = options.http ? 'http' : 'stdio';
  const { faults, point, shard } = options;
  const defaults = sweptOn(transport);
  const swept = sweptFaults({ faults, point, defaults, all: allFaultsOn(transport, defaults) });
  const isAll = asksForAll(faults);
  const whole = faultMatrix(stripHttp(cassette), swept);
  const matrix = isAll ? whole.filter((one) => isNoticeable(one, transport)) : whole;
  const leftOut = isAll ? leftOutFaults(swept, matrix) : undefined;
  if (leftOut !== undefined) say(leftOut);
  const vain = withoutPoint(swept, matrix, faults);
  if (vain !== undefined) throw noPoints({ file, shard: undefined, ...vain });
  const isOfPairs = asksForPairs(options);
  // Pairs are drawn once it is known which messages the client gets.
  const points = isOfPairs ? matrix : selectPoints(matrix, options);
  const why =
    faults === undefined
      ? 'its server says nothing that could go wrong'
      : `no message of its server can have the faults ${faults}`;
  const next = 'Record a session in which the server answers: mcp-record record -o FILE -- COMMAND.';
  if (points.length === 0) throw noPoints({ file, shard, why, next });
  for (const point of points) checkFaultCase(point, transport);
  const room = limitsFor(positiveNumber('--jobs', options.jobs));
  const deadline = positiveNumber('--deadline', options.deadline);
  const redactor = await outputRedactor(options);
  const known = new Map<string, Result>();
  const { red } = coloursFor(process.stderr);
  // Whether a pair is bad is known once its faults have happened alone.
  const verdicts = isOfPairs ? { ...CLIENT_VERDICTS, bad: new Set<Verdict>() } : CLIENT_VERDICTS;
  const progress = new SweepProgress({ terminal: process.stderr, file, of: points.length, verdicts, bad: red });
  let met = points;
  let pairs: SweptPairs<FaultCase> | undefined;
  let runAlone = async (_members: readonly FaultCase[]): Promise<Result[]> => [];
  const report = async (results: readonly Result[], interrupted?: NodeJS.Signals) => {
    progress.finish();
    const common = {
      file,
      points: pairs?.points ?? met,
      leftOut: leftOutOf(points.filter((point) => !met.includes(point))),
      options,
      redactor,
      foot: [
        ...(pairs ? [] : withoutLossText(results, redactor)),
        ...metAgainNote(results),
        ...missesNote(results, redactor),
        ...(point.length === 0 && mayReorder(cassette, transport) ? [OTHER_ORDERS] : []),
        ...(pairs ? [] : [unreachedFaultsAdvice(options, results) ?? []].flat()),
        ...(isMeasured ? [deadlineText('run', limit, deadline)] : []),
        UNSEEN,
      ].join('\n'),
      ...(interrupted && { interrupted }),
    };
    if (pairs === undefined)
      return await reportSweep({
        ...common,
        summary: hungSummary(results, limit),
        results,
        verdicts: CLIENT_VERDICTS,
        json: results.map(told),
      });
    const alone = interrupted ? async () => [] : runAlone;
    const judged = await judgedPairs<FaultCase, Verdict, JudgedPair>(results, PAIR_VERDICTS, alone);
    if (!interrupted && judged.every(({ verdict }) => verdict === 'unreached'))
      throw noSecondFault(file, 'client', results.length);
    const single = judged.flatMap(({ point }) => (point.pair ? [] : [point]));
    const again = (name: string) => againCommand({ file, point: name, words, options });
    const shown = pairReport<Verdict, JudgedPair>(judged, { ...pairs, verdicts: PAIR_VERDICTS, again });
    const all = [...single, ...common.points];
    return await reportSweep({ ...common, ...shown, points: all, json: judged.map(told) });
  };
  const targets = await mockServerTargets(transport, cassette);
  let isMeasured = false;
  let limit: Milliseconds = 0;
  endBySignal(async (signal) => {
    if (!isMeasured) say(FIRST_RUN);
    await report(inOrder(pairs?.points ?? met, known), signal);
    // The runs look at these files until this process ends.
    targets.remove();
  });
  progress.note(announced(points, { room, deadline, isOfPairs }));
  const client = { command: words, env: process.env, clock: systemClock };
  try {
    // A terminal shows the progress.
    const callOff = process.stderr.isTTY ? () => {} : systemClock.after(SLOW, () => say(FIRST_RUN));
    const first = {
      ...client,
      target: () => targets.target(undefined),
      deadline,
      recordedFailure: recordedFailure(cassette.events),
      mayReorder: mayReorder(cassette, transport),
    };
    const baseline = await measureClient(first).finally(callOff);
    isMeasured = true;
    limit = baseline.deadline;
    for (const text of baselineNotes(baseline, redactor)) say(text);
    met = points.filter(({ line }) => baseline.lines.has(line));
    if (met.length === 0) throw noPoints({ file, shard: undefined, ...NOT_MET });
    if (isOfPairs) pairs = sweptPairs(pairsOf(file, met), options);
    const cases = pairs?.points ?? met;
    progress.leaveOut(points.length - cases.length);
    const later = pairs ? Math.min(2 * cases.length, met.length) : 0;
    const expected = { count: cases.length, later, first: baseline.duration, deadline: limit, room };
    progress.note(`${pairs ? `${pairs.head}. ` : ''}${expectedRunsText({ ...expected, afterEnd: AFTER_END_MAX })}`);
    const { unserved } = baseline;
    const common = { ...client, target: targets.target, room, deadline: limit, unserved };
    runAlone = (members) => sweep({ ...common, points: members });
    const results = await sweep({
      ...common,
      points: cases,
      done(result) {
        known.set(result.point.name, result);
        progress.done(result);
      },
    });
    return await report(results);
  } finally {
    progress.finish();
    targets.remove();
  }
}

interface Announced {
  room: Limits;
  /** Maximum duration of a run, as the user has set it. */
  deadline: Milliseconds | undefined;
  isOfPairs: boolean;
}

/** Says how much a sweep is going to run, and how long it takes at most, as far as that is known. */
function announced(points: readonly FaultCase[], { room, deadline, isOfPairs }: Announced): string {
  const which = `${isOfPairs ? 'pairs of ' : ''}${pointsText(points, 'fault')}`;
  if (deadline === undefined) {
    return `${which}. The first run, without any fault, shows how long each other may take: ten times as long, and 2000 ms at least. --deadline MS sets it.`;
  }
  const each = `${which}. Each run may take ${deadline} ms (--deadline)`;
  if (isOfPairs) return `${each}.`;
  const runs = { deadline, afterEnd: AFTER_END_MAX, room };
  const most = longestRuns({ ...runs, count: 1 }) + longestRuns({ ...runs, count: points.length });
  return `${each}: ${roundedUpTime(most)} at most.`;
}

/** Returns how pairs are made of the cases of a client. */
function pairsOf(file: string, cases: readonly FaultCase[]): PairsOf<FaultCase> {
  return {
    file,
    cases,
    side: 'server',
    draw: (options) => drawFaultPairs(cases, options),
    pairOf: (first, second) => faultPair(first, second, cases),
    whyNot: whyNoFaultPair,
  };
}

/** Time after which a log says what the sweep is waiting for. */
const SLOW: Milliseconds = 10_000;
const FIRST_RUN = 'the first run, without any fault, has not ended yet: --deadline MS limits it';

/** Said if several requests of the recorded client were open at once. */
const OTHER_ORDERS =
  'The recorded client has requests in flight at once. Let their answers come in other orders, too: --orders 100 (docs/sweep-orders.md of this package).';

/** Said under every report. */
const UNSEEN =
  'No verdict sees a client that swallows an error (error-reply, isError): docs/sweep.md of this package, "What no verdict sees".';

/** Said of messages that the client does not get without a fault either. */
const NOT_MET = {
  why: 'the client does not get these messages, without any fault',
  next: 'Record the session of this client, mcp-record record -o FILE -- COMMAND, or keep that part: mcp-record cut.',
};

/** Returns each message of these points once, as a part of the cassette that is not swept. */
function leftOutOf(points: readonly FaultCase[]): LeftOut[] {
  const lines = new Map(points.map(({ line, title }) => [line, title]));
  return [...lines].map(([line, title]) => ({ title, line, why: 'the client does not get it without a fault either' }));
}

/** Returns a result for JSON output, without the conditions of the fault and of a withheld response. */
function told({
  point: { loses, pair, when: _when, row: _row, ...point },
  first: _,
  ...result
}: Pick<Result, 'point' | 'first'>): object {
  const names = pair && { pair: pair.cases.map(({ name, line }) => ({ name, line })) };
  const answers = pair ? pair.cases.map((one) => one.loses) : [loses];
  const losesAnswer = answers.some((one) => one !== undefined && one.isDelayed !== true);
  return { point: { ...point, losesAnswer, ...names }, ...result };
}
