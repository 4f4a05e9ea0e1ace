import type { Cassette } from '../../cassette/cassette.ts';
import { SERVER_VERDICTS } from '../../sweep/server/judge/server-verdict.ts';
import { misbehaviourCases } from '../../sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../sweep/server/misbehaviour-table.ts';
import { type ServerResult, sweepServer } from '../../sweep/server/sweep-server.ts';
import { say } from '../io/output.ts';
import { againCommand } from './again-command.ts';
import { givenSecrets, loadRecordedClient } from './recorded-client.ts';
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
  const cassette = await givenSecrets(loadRecordedClient(file, options), options);
  for (const warning of cassette.warnings) say(warning);
  return cassette;
}

function forJson({ point, cause: _cause, ...result }: ServerResult): object {
  const { misbehaviour, what: _, when: __, inFlight: ___, ...shown } = point;
  return { point: { ...shown, does: misbehaviour.doc }, ...result };
}
