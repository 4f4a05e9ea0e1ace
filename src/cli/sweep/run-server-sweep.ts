import { systemClock as clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { parsePointer } from '../../match/ignore-rules.ts';
import { checkPlayable } from '../../replay/findings/unplayable-findings.ts';
import { SERVER_VERDICTS } from '../../sweep/server/judge/server-verdict.ts';
import { hasCalls, misbehaviourCases } from '../../sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../sweep/server/misbehaviour-table.ts';
import type { ServerUnderTest } from '../../sweep/server/server-under-test.ts';
import { type ServerResult, sweepServer } from '../../sweep/server/sweep-server.ts';
import { refuseNonMcpRequests } from '../../verify/run/refuse-non-mcp-requests.ts';
import { loadWithProgress } from '../io/load-with-progress.ts';
import { say } from '../io/output.ts';
import { headersFrom } from '../options/header-options.ts';
import { withSecrets } from '../options/placeholder-secrets.ts';
import {
  faultNames,
  limitsFor,
  noPoints,
  positiveNumber,
  type SweepCommandOptions,
  selectPoints,
} from './sweep-options.ts';
import { reportSweep, sweepProgress } from './sweep-report.ts';

export interface ServerSweepCommand {
  /** The cassette. */
  file: string;
  /** The command of the server, or its URL. */
  words: readonly string[];
  options: SweepCommandOptions;
}

/**
 * `mcp-record sweep --server FILE -- COMMAND…` or `--server --http FILE URL`: misbehaves at every message of the
 * recorded client.
 */
export async function runServerSweep({ file, words, options }: ServerSweepCommand): Promise<number> {
  const { ignore, shard } = options;
  for (const pointer of ignore) parsePointer(pointer);
  const transport = options.http ? 'http' : 'stdio';
  const recorded = loadWithProgress(file);
  checkPlayable(recorded);
  if (options.http && !options.otherRequests) refuseNonMcpRequests(recorded, '--other-requests');
  const cassette = await withSecrets(recorded, 'client', options.secretsFromEnv);
  for (const warning of cassette.warnings) say(warning);
  const over = misbehavioursOver(transport);
  const names = options.faults === undefined ? over : faultNames(options.faults, over, 'docs/sweep.md');
  const points = selectPoints(misbehaviourCases(cassette, names, transport), options);
  const next = 'Record a session in which a client makes calls: mcp-record record -o FILE -- COMMAND.';
  if (!hasCalls(cassette)) throw noPoints({ file, shard: undefined, why: 'its client makes no call', next });
  if (points.length === 0) throw noPoints({ file, shard, why: 'no message of its client can go wrong so', next });
  const jobs = positiveNumber('--jobs', options.jobs);
  let count = 0;
  const { results, unlikeCassette } = await sweepServer({
    cassette,
    target: await targetOf(words, options),
    points,
    ignore,
    clock,
    // All runs share one HTTP server. Runs are sequential, so that a crash can be attributed to one point.
    room: limitsFor(jobs ?? (options.http ? 1 : undefined)),
    deadline: positiveNumber('--deadline', options.deadline),
    done: () => sweepProgress(++count, points.length),
  });
  if (unlikeCassette > 0) {
    say(
      `${file}: the server differs from it without any misbehaviour, in ${unlikeCassette} places: see mcp-record verify.`,
    );
  }
  const status = await reportSweep({ file, results, verdicts: SERVER_VERDICTS, json: results.map(forJson), options });
  // Child processes of the server may hold its streams open, and would keep this process alive.
  process.exit(status);
}

function forJson({ point, ...result }: ServerResult): object {
  const { misbehaviour, what: _, when: __, ...shown } = point;
  return { point: { ...shown, does: misbehaviour.doc }, ...result };
}

async function targetOf(words: readonly string[], options: SweepCommandOptions): Promise<ServerUnderTest> {
  if (!options.http) return (await import('../../sweep/server/stdio-server.ts')).stdioServer(words, clock);
  const [url = ''] = words;
  if (words.length !== 1) {
    throw new McpRecordError({
      code: 'USAGE_ONE_SERVER',
      what: 'Cannot tell which server to sweep',
      why: `--http takes one URL, and there are ${words.length} words after the cassette`,
      next: 'Write mcp-record sweep --server --http FILE URL.',
    });
  }
  const [{ httpServer }, { parseUpstream }] = await Promise.all([
    import('../../sweep/server/http-server.ts'),
    import('../../transports/http/upstream/parse-upstream.ts'),
  ]);
  return httpServer({
    upstream: parseUpstream(url, process.env),
    clock,
    headers: headersFrom(options.header, process.env),
  });
}
