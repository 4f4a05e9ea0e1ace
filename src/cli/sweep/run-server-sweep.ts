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
import { coloursFor, say } from '../io/output.ts';
import { endBySignal } from '../io/signals.ts';
import { headersFrom } from '../options/header-options.ts';
import { withSecrets } from '../options/placeholder-secrets.ts';
import { SweepProgress } from '../terminal/sweep-progress.ts';
import {
  faultNames,
  inOrder,
  limitsFor,
  noPoints,
  positiveNumber,
  type SweepCommandOptions,
  selectPoints,
} from './sweep-options.ts';
import { reportSweep } from './sweep-report.ts';

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
  const known = new Map<string, ServerResult>();
  const { red } = coloursFor(process.stderr);
  const progress = new SweepProgress({
    terminal: process.stderr,
    file,
    of: points.length,
    verdicts: SERVER_VERDICTS,
    bad: red,
  });
  const report = (results: readonly ServerResult[], interrupted?: NodeJS.Signals) => {
    progress.finish();
    const json = results.map(forJson);
    return reportSweep({
      file,
      points,
      results,
      verdicts: SERVER_VERDICTS,
      json,
      options,
      ...(interrupted && { interrupted }),
    });
  };
  const target = await targetOf(words, options);
  endBySignal(async (signal) => void (await report(inOrder(points, known), signal)));
  const { results, unlikeCassette } = await sweepServer({
    cassette,
    target,
    points,
    ignore,
    clock,
    // All runs share one HTTP server. Runs are sequential, so that a crash can be attributed to one point.
    room: limitsFor(jobs ?? (options.http ? 1 : undefined)),
    deadline: positiveNumber('--deadline', options.deadline),
    done(result) {
      known.set(result.point.name, result);
      progress.done(result);
    },
    suspected(result) {
      known.set(result.point.name, { ...result, why: `${result.why ?? ''} (${NOT_CONFIRMED})`.trim() });
    },
  }).finally(() => progress.finish());
  if (unlikeCassette > 0) {
    say(
      `${file}: the server differs from it without any misbehaviour, in ${unlikeCassette} places: see mcp-record verify.`,
    );
  }
  // What the server has started may hold its streams open, and must not hold us.
  process.exit(await report(results));
}

/** Said of a point that looked bad when the sweep was interrupted. */
const NOT_CONFIRMED = 'interrupted before it was looked at again, alone';

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
