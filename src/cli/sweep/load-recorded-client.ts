import type { Cassette } from '../../cassette/cassette.ts';
import { checkPlayable } from '../../replay/findings/unplayable-findings.ts';
import { hasCalls } from '../../sweep/server/misbehaviour-cases.ts';
import { refuseNonMcpRequests } from '../../verify/run/refuse-non-mcp-requests.ts';
import { loadWithProgress } from '../io/load-with-progress.ts';
import { secretsFromEnv, withSecrets } from '../options/restore-secrets-from-env.ts';
import { noPoints, type SweepCommandOptions } from './sweep-options.ts';

/** Returns a cassette with the secrets that `--secrets-from-env` names, to be played and not to be written. */
export async function givenSecrets(
  recorded: Cassette,
  { secretsFromEnv: names }: Pick<SweepCommandOptions, 'secretsFromEnv'>,
): Promise<Cassette> {
  return withSecrets(recorded, 'client', await secretsFromEnv(names));
}

/** Loads a cassette whose client is played. Its placeholders stay. */
export function loadRecordedClient(
  file: string,
  { http, otherRequests }: Pick<SweepCommandOptions, 'http' | 'otherRequests'>,
): Cassette {
  const recorded = loadWithProgress(file);
  checkPlayable(recorded);
  if (http && !otherRequests) refuseNonMcpRequests(recorded, '--other-requests');
  if (hasCalls(recorded)) return recorded;
  const next = 'Record a session in which a client makes calls: mcp-record record -o FILE -- COMMAND.';
  throw noPoints({ file, shard: undefined, why: 'its client makes no call', next });
}
