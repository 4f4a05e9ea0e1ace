import type { Cassette } from '../../cassette/cassette.ts';
import { checkPlayable } from '../../replay/findings/unplayable-findings.ts';
import { SERVER_VERDICTS } from '../../sweep/server/judge/server-verdict.ts';
import { hasCalls, misbehaviourCases } from '../../sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../sweep/server/misbehaviour-table.ts';
import { type ServerResult, sweepServer } from '../../sweep/server/sweep-server.ts';
import { refuseNonMcpRequests } from '../../verify/run/refuse-non-mcp-requests.ts';
import { loadWithProgress } from '../io/load-with-progress.ts';
import { say } from '../io/output.ts';
import { secretsFromEnv, withSecrets } from '../options/secrets-from-env.ts';
import { againCommand } from './again-command.ts';
import { reportedServerSweep } from './reported-server-sweep.ts';
import { faultNames, noPoints, type SweepCommandOptions, selectPoints } from './sweep-options.ts';

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
  const points = selectPoints(misbehaviourCases(cassette, names, transport), options);
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
    sweep: sweepServer,
  });
}

/** Loads the cassette of a sweep of a server. */
async function loadSwept(file: string, options: SweepCommandOptions): Promise<Cassette> {
  const recorded = loadWithProgress(file);
  checkPlayable(recorded);
  if (options.http && !options.otherRequests) refuseNonMcpRequests(recorded, '--other-requests');
  const cassette = await withSecrets(recorded, 'client', secretsFromEnv(options.secretsFromEnv));
  for (const warning of cassette.warnings) say(warning);
  if (hasCalls(cassette)) return cassette;
  const next = 'Record a session in which a client makes calls: mcp-record record -o FILE -- COMMAND.';
  throw noPoints({ file, shard: undefined, why: 'its client makes no call', next });
}

function forJson({ point, ...result }: ServerResult): object {
  const { misbehaviour, what: _, when: __, inFlight: ___, ...shown } = point;
  return { point: { ...shown, does: misbehaviour.doc }, ...result };
}
