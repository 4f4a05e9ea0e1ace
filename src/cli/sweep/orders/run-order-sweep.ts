import { ORDER_GAP } from '../../../faults/timing/order.ts';
import { type Milliseconds, systemClock } from '../../../kernel/clock.ts';
import { formatCount } from '../../../kernel/format-count.ts';
import { unplayableFindingsOf } from '../../../replay/findings/unplayable-findings.ts';
import { measureClient } from '../../../sweep/client/client-baseline.ts';
import type { FaultCase } from '../../../sweep/client/fault-cases.ts';
import { AFTER_END_MAX } from '../../../sweep/client/run-command.ts';
import { sweep } from '../../../sweep/client/sweep-client.ts';
import { expectedRunsText } from '../../../sweep/expected-duration.ts';
import { recordedFailure } from '../../../sweep/failure-in-recording.ts';
import { orderCase, RECORDED_WAIT, recordedOrderCase } from '../../../sweep/orders/order-cases.ts';
import {
  confirmedFailures,
  ORDER_VERDICTS,
  type OrderResult,
  orderResult,
} from '../../../sweep/orders/order-verdicts.ts';
import { type OrderedMessage, withoutMessages } from '../../../sweep/orders/ordered-message.ts';
import { serverMessageOrders } from '../../../sweep/orders/server-message-order.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { coloursFor, say } from '../../io/output.ts';
import { endBySignal } from '../../io/signals.ts';
import { outputRedactor } from '../../reports/output-redactor.ts';
import { SweepProgress } from '../../terminal/sweep-progress.ts';
import { againCommand } from '../again-command.ts';
import { mockServerTargets } from '../mock-server-command-lines.ts';
import { inOrder, limitsFor, noPoints, positiveNumber, type SweepCommandOptions } from '../sweep-options.ts';
import { baselineNotes, deadlineText, type LeftOut, reportSweep } from '../sweep-report.ts';
import { orderOfPoint } from './order-point.ts';
import { orderCount, sweptOrders } from './swept-orders.ts';

export interface OrderSweepCommand {
  /** The cassette. */
  file: string;
  /** Command of the client. */
  words: readonly string[];
  options: SweepCommandOptions;
}

/**
 * `mcp-record sweep --orders N FILE -- COMMAND…`: runs a client once for each order in which its server may send the
 * recorded messages.
 */
export async function runOrderSweep({ file, words, options }: OrderSweepCommand): Promise<number> {
  const cassette = loadWithProgress(file);
  for (const warning of cassette.warnings) say(warning);
  for (const { text } of unplayableFindingsOf(cassette, 'server')) say(text);
  const transport = options.http ? 'http' : 'stdio';
  const sessions = serverMessageOrders(cassette, transport);
  // Bad options end the sweep before the first run.
  orderCount(options);
  for (const name of options.point) orderOfPoint(sessions, name);
  const every = new Set(sessions.flat().map(({ line }) => line));
  if (options.point.length === 0) sweptOrders(sessions, { file, lines: every, options });
  const room = limitsFor(positiveNumber('--jobs', options.jobs));
  const given = positiveNumber('--deadline', options.deadline);
  const redactor = await outputRedactor(options);
  const known = new Map<string, OrderResult>();
  const { red } = coloursFor(process.stderr);
  const progress = new SweepProgress({ terminal: process.stderr, file, of: 0, verdicts: ORDER_VERDICTS, bad: red });
  let points: readonly FaultCase[] = [];
  let leftOut: LeftOut[] = [];
  let [head, limit]: [string, Milliseconds] = ['', 0];
  let runAgain = async (_point: FaultCase): Promise<OrderResult[]> => [];
  const report = async (results: readonly OrderResult[], interrupted?: NodeJS.Signals) => {
    progress.finish();
    if (!interrupted && results.every(({ verdict }) => verdict === 'unreached')) {
      throw noPoints({ file, shard: undefined, why: notAllowed(results), next: NOT_ALLOWED_NEXT });
    }
    const again = async (point: FaultCase) => {
      const known = results.find((one) => one.point.name === point.name)!;
      return interrupted ? known : ((await runAgain(point))[0] ?? known);
    };
    const shown = (await confirmedFailures(results, sessions.flat(), again)).map((result) =>
      ORDER_VERDICTS.bad.has(result.verdict) && result.verdict !== 'same'
        ? { ...result, again: againCommand({ file, point: result.point.name, words, options }) }
        : result,
    );
    return await reportSweep({
      file,
      points,
      results: shown,
      verdicts: ORDER_VERDICTS,
      json: shown.map(told),
      leftOut,
      head: shown.some(({ verdict }) => ORDER_VERDICTS.bad.has(verdict)) ? [head, ''] : [head],
      foot: [...(limit > 0 ? [deadlineText('run', limit, given)] : []), UNSEEN].join('\n'),
      options,
      redactor,
      ...(interrupted && { interrupted }),
    });
  };
  const targets = await mockServerTargets(transport, cassette);
  endBySignal(async (signal) => {
    await report(inOrder(points, known), signal);
    targets.remove();
  });
  const recorded = recordedOrderCase(sessions, RECORDED_WAIT);
  const client = { command: words, env: process.env, clock: systemClock };
  try {
    const baseline = await measureClient({
      ...client,
      target: () => targets.target(recorded),
      point: recorded,
      deadline: given,
      recordedFailure: recordedFailure(cassette.events),
    });
    for (const text of baselineNotes(baseline, redactor)) say(text);
    limit = baseline.deadline;
    leftOut = sessions
      .flat()
      .filter(({ line }) => !baseline.lines.has(line))
      .map(leftOutOf);
    const swept = sweptOrders(sessions, { file, lines: baseline.lines, options });
    head = swept.head;
    const wait = Math.min(limit / WAIT_PART, Math.max(WAIT_MIN, 2 * baseline.duration));
    const met = sessions.map((session) => withoutMessages(session, ({ line }) => baseline.lines.has(line)));
    const gap = Math.max(ORDER_GAP, baseline.duration / GAP_PART);
    points = swept.orders.map((order) => orderCase(order, { sessions: met, wait, gap }));
    progress.leaveOut(-points.length);
    const expected = { count: points.length, first: baseline.duration, deadline: limit, room, afterEnd: AFTER_END_MAX };
    progress.note(`${formatCount(points.length, 'point')}: ${head}. ${expectedRunsText(expected)}`);
    const { unserved } = baseline;
    const common = { ...client, target: targets.target, deadline: limit, unserved };
    runAgain = async (point) =>
      (await sweep({ ...common, room: { busy: 1, all: 1 }, points: [point] })).map(orderResult);
    const results = await sweep({
      ...common,
      room,
      points,
      done(result) {
        const judged = orderResult(result);
        known.set(result.point.name, judged);
        progress.done(judged);
      },
    });
    return await report(results.map(orderResult));
  } finally {
    progress.finish();
    targets.remove();
  }
}

/** A client whose whole run takes this many gaps needs less than one of them to read a message. */
const GAP_PART = 25;

/** Part of a run's time in which the next message of an order has to come. */
const WAIT_PART = 4;
const WAIT_MIN: Milliseconds = 1_000;

const NOT_ALLOWED_NEXT =
  'Sweep a client that makes its requests at once, or record the session of this client: mcp-record record -o FILE -- COMMAND.';

/** Said under every report. */
const UNSEEN =
  'No verdict sees a client that ends with 0, although it took the answers for each other: docs/sweep-orders.md of this package, "What no verdict sees".';

function notAllowed(results: readonly OrderResult[]): string {
  const [first] = results;
  return `in none of ${formatCount(results.length, 'run')} the order came about${first?.why === undefined ? '' : `: ${first.why}`}`;
}

function leftOutOf({ title, line }: OrderedMessage): LeftOut {
  return { title, line, why: 'the client does not get it in the recorded order either' };
}

/** Returns a result for JSON output. */
function told({ point: { when: _, ...point }, first: __, isPartial: ___, ...result }: OrderResult): object {
  return { point, ...result };
}
