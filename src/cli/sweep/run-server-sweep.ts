import type { Cassette } from '../../cassette/cassette.ts';
import { SERVER_VERDICTS } from '../../sweep/server/judge/server-verdict-table.ts';
import { type MisbehaviourCase, misbehaviourCases } from '../../sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../sweep/server/misbehaviour-table.ts';
import { type ServerResult, sweepServer } from '../../sweep/server/sweep-server.ts';
import { say } from '../io/output.ts';
import { againCommand } from './again-command.ts';
import { givenSecrets, loadRecordedClient } from './load-recorded-client.ts';
import { NO_POINT_FITS, reportedServerSweep } from './reported-server-sweep.ts';
import { faultNames, noPoints, type SweepCommandOptions, selectPoints } from './sweep-options.ts';
import { faultWithoutPoint } from './swept-faults.ts';

export interface ServerSweepCommand {
  /** The cassette. */
  file: string;
  /** The command of the server, or its URL. */
  words: readonly string[];
  options: SweepCommandOptions;
}

/**
 * `mcp-record sweep --server FILE -- COMMAND…` or `--server --http FILE URL`: misbehaves at every message of the
 * recorded client. With `--inputs`: calls the tools with arguments that nobody has recorded.
 */
export async function runServerSweep({ file, words, options }: ServerSweepCommand): Promise<number> {
  const cassette = await loadSwept(file, options);
  if (options.inputs) return (await import('./run-input-sweep.ts')).runInputSweep({ cassette, words, options });
  const { shard } = options;
  const transport = options.http ? 'http' : 'stdio';
  const over = misbehavioursOver(transport);
  const names = options.faults === undefined ? over : faultNames(options.faults, over, 'docs/sweep-server.md');
  const named = options.faults === undefined ? [] : names;
  const cases = misbehaviourCases(cassette, names, transport);
  const vain = faultWithoutPoint(named, cases);
  if (vain !== undefined) {
    const next = 'Record a session in which the client sends such messages, or name other --faults.';
    throw noPoints({ file, shard: undefined, why: withoutMessage(vain), next });
  }
  const points = selectPoints(cases, options);
  if (points.length === 0) {
    const next = 'Record a session in which a client makes calls: mcp-record record -o FILE -- COMMAND.';
    throw noPoints({ file, shard, why: 'no message of its client can go wrong so', next });
  }
  return await reportedServerSweep({
    cassette,
    words,
    options,
    points,
    verdicts: SERVER_VERDICTS,
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

interface MeasuredPoints {
  /** Names of `--faults`. */
  named: readonly string[];
  /** All points, those of other shards too. */
  cases: readonly MisbehaviourCase[];
  /** The selected points. */
  points: readonly MisbehaviourCase[];
  options: SweepCommandOptions;
  /** Returns why a point has no meaning at its message. */
  whyUnfit(point: MisbehaviourCase): string | undefined;
}

/** Returns why a point of `--point`, or all points of a fault of `--faults`, cannot be run. Undefined: each can. */
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

function forJson({ point, cause: _cause, ...result }: ServerResult): object {
  const { misbehaviour, what: _, when: __, inFlight: ___, ...shown } = point;
  return { point: { ...shown, does: misbehaviour.doc }, ...result };
}
