import type { Cassette } from '../../cassette/cassette.ts';
import { pointsText } from '../../sweep/expected-duration.ts';
import type { GridVerdicts } from '../../sweep/grid-text.ts';
import type { PairVerdict } from '../../sweep/judge-two-fault-runs.ts';
import type { ServerResult } from '../../sweep/server/judge/server-result.ts';
import { SERVER_VERDICTS, type ServerVerdict } from '../../sweep/server/judge/server-verdict-kinds.ts';
import { type MisbehaviourCase, misbehaviourCases } from '../../sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../sweep/server/misbehaviour-table.ts';
import { sweepServer } from '../../sweep/server/sweep-server.ts';
import {
  casesOf,
  misbehaviourPair,
  pairRules,
  SERVER_PAIR_VERDICTS,
} from '../../sweep/server/two-misbehaviours-per-session.ts';
import { say } from '../io/output.ts';
import { againCommand } from './again-command.ts';
import { givenSecrets, loadRecordedClient } from './load-recorded-client.ts';
import { NO_POINT_FITS, reportedServerSweep } from './reported-server-sweep.ts';
import {
  asksForOrders,
  faultNames,
  faultsButThese,
  noPoints,
  noSecondFault,
  type SweepCommandOptions,
  selectPoints,
} from './sweep-options.ts';
import { asksForPairs, faultWithoutPoint, type SweptPairs, sweptPairs } from './swept-faults.ts';

export interface ServerSweepCommand {
  /** The cassette. */
  file: string;
  /** Command or URL of the server. */
  words: readonly string[];
  options: SweepCommandOptions;
}

/**
 * `mcp-record sweep --server FILE -- COMMAND…` or `--server --http FILE URL`: misbehaves at every message of the
 * recorded client. With `--inputs`: calls the tools with arguments that nobody has recorded. With `--orders`: sends the
 * messages in other orders.
 */
export async function runServerSweep({ file, words, options }: ServerSweepCommand): Promise<number> {
  const cassette = await loadSwept(file, options);
  if (options.inputs) return (await import('./run-input-sweep.ts')).runInputSweep({ cassette, words, options });
  if (asksForOrders(options)) {
    return (await import('./orders/run-server-order-sweep.ts')).runServerOrderSweep({ cassette, words, options });
  }
  const { shard } = options;
  const transport = options.http ? 'http' : 'stdio';
  const over = misbehavioursOver(transport);
  const names =
    options.faults === undefined ? over : faultNames(options.faults, over, 'docs/sweep-server-reference.md');
  const named = options.faults === undefined || faultsButThese(options.faults, over) ? [] : names;
  const cases = misbehaviourCases(cassette, names, transport);
  const vain = faultWithoutPoint(named, cases);
  if (vain !== undefined) {
    const next = 'Record a session in which the client sends such messages, or name other --faults.';
    throw noPoints({ file, shard: undefined, why: withoutMessage(vain), next });
  }
  const pairs = asksForPairs(options) ? serverPairs(cassette, cases, options) : undefined;
  const points = pairs?.points ?? selectPoints(cases, options);
  if (points.length === 0) {
    const next = 'Record a session in which a client makes calls: mcp-record record -o FILE -- COMMAND.';
    throw noPoints({ file, shard, why: 'no message of its client can go wrong so', next });
  }
  return await reportedServerSweep<MisbehaviourCase, PairVerdict<ServerVerdict>, ServerResult>({
    cassette,
    words,
    options,
    points,
    size: pairs?.head ?? pointsText(points, 'misbehaviour'),
    ...(pairs
      ? { head: [pairs.head], verdicts: SERVER_PAIR_VERDICTS, check: (results) => checkReached(file, results) }
      : { verdicts: SINGLE_VERDICTS }),
    forJson,
    again: ({ name }) => againCommand({ file, point: name, words, options }),
    sweep: (swept) =>
      sweepServer({
        ...swept,
        leftOut(unfit, whyUnfit) {
          const wanted = wantedInVain({ named, cases, points, options, whyUnfit });
          if (wanted) throw noPoints({ file, shard: undefined, ...wanted });
          swept.leftOut(unfit);
        },
      }),
  });
}

/** Presentation of the verdicts on points with one misbehaviour, which are never `single`. */
const SINGLE_VERDICTS = SERVER_VERDICTS as GridVerdicts<PairVerdict<ServerVerdict>>;

/** Returns the pairs of misbehaviours that the options name or draw. */
function serverPairs(
  cassette: Cassette,
  cases: readonly MisbehaviourCase[],
  options: SweepCommandOptions,
): SweptPairs<MisbehaviourCase> {
  const { draw, whyNot } = pairRules(cassette, options.http ? 'http' : 'stdio');
  const { file } = cassette;
  const pairs = {
    draw: (drawing: Parameters<typeof draw>[1]) => draw(cases, drawing),
    pairOf: misbehaviourPair,
    whyNot,
  };
  return sweptPairs({ file, cases, side: 'client', ...pairs }, options);
}

/** @throws McpRecordError SWEEP_NO_POINTS if no second misbehaviour of pairs happened */
function checkReached(file: string, results: readonly ServerResult[]): void {
  if (results.length > 0 && results.every(({ verdict }) => verdict === 'unreached'))
    throw noSecondFault(file, 'server', results.length);
}

interface MeasuredPoints {
  /** Names of `--faults`. */
  named: readonly string[];
  /** All points, including the points of other shards. */
  cases: readonly MisbehaviourCase[];
  /** The selected points. */
  points: readonly MisbehaviourCase[];
  options: SweepCommandOptions;
  /** Returns the reason why a point makes no sense at its message. */
  whyUnfit(point: MisbehaviourCase): string | undefined;
}

/**
 * Returns the reason why a point of `--point`, or every point of a fault in `--faults`, cannot run. Undefined: all can
 * run.
 */
function wantedInVain({
  named,
  cases,
  points,
  options,
  whyUnfit,
}: MeasuredPoints): { why: string; next: string } | undefined {
  const isFit = (point: MisbehaviourCase) => whyUnfit(point) === undefined;
  const byName = options.point.length > 0;
  const unfit = byName
    ? points.find((point) => !isFit(point))
    : cases.find(({ fault }) => fault === faultWithoutPoint(named, cases.filter(isFit)));
  if (unfit === undefined) return undefined;
  const vain = byName ? `the point ${unfit.name} cannot be run` : withoutMessage(unfit.fault);
  return { why: `${vain}: ${whyUnfit(unfit)}`, next: NO_POINT_FITS };
}

function withoutMessage(fault: string): string {
  return `no message of its client can have the fault ${fault}`;
}

/** Loads the cassette of a sweep of a server. */
async function loadSwept(file: string, options: SweepCommandOptions): Promise<Cassette> {
  const cassette = await givenSecrets(loadRecordedClient(file, options), options);
  for (const warning of cassette.warnings) say(warning);
  return cassette;
}

function forJson({ point, cause: _cause, first: _first, ...result }: ServerResult): object {
  const { misbehaviour: _misbehaviour, what: _, when: __, inFlight: ___, pair, ...shown } = point;
  const names = pair && { pair: pair.cases.map(({ name, line }) => ({ name, line })) };
  const does = casesOf(point).map((one) => one.misbehaviour.doc);
  return { point: { ...shown, does: does.join(' Later: '), ...names }, ...result };
}
