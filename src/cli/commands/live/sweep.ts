import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { Cassette } from '../../../cassette/cassette.ts';
import type { FaultTransport } from '../../../faults/fault.ts';
import { FAULTS } from '../../../faults/fault-table.ts';
import { parseFaultRules } from '../../../faults/rules/parse-fault-rules.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { didYouMean } from '../../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { unplayableFindingsOf } from '../../../replay/findings/unplayable-findings.ts';
import { stripHttp } from '../../../replay/prepare/strip-http.ts';
import { type FaultCase, faultMatrix, rulesFileOf, shardOf, sweptOn } from '../../../sweep/client/fault-matrix.ts';
import { type Result, type SweepOptions, sweep } from '../../../sweep/client/sweep-client.ts';
import { BAD, CLIENT_VERDICTS } from '../../../sweep/client/verdict.ts';
import type { Limits } from '../../../sweep/concurrency-limiter.ts';
import { gridText } from '../../../sweep/grid-text.ts';
import type { Outcome } from '../../../text-report/outcome-model.ts';
import { loadWithProgress } from '../../io/load-with-progress.ts';
import { coloursFor, EXIT, print, say } from '../../io/output.ts';
import { endBySignal } from '../../io/signals.ts';
import { writeReport } from '../../io/write-report.ts';

interface Options {
  http?: boolean;
  faults?: string;
  point: string[];
  shard?: string;
  jobs?: string;
  deadline?: string;
  json?: boolean;
  junit?: string;
}

/** So many times as many runs as there are processors: after its fault a client has little to do but to wait. */
const WAITING = 4;

/** `mcp-record sweep FILE -- COMMAND…`: fails every message of the recorded server in every way, and watches the client. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const [file = '', ...rest] = command.args;
  const client = rest[0] === '--' ? rest.slice(1) : rest;
  const cassette = loadWithProgress(file);
  for (const warning of cassette.warnings) say(warning);
  for (const { text } of unplayableFindingsOf(cassette, 'server')) say(text);
  const ground = options.http ? 'http' : 'stdio';
  const points = chosen(faultMatrix(stripHttp(cassette), faultsIn(options.faults, ground)), options);
  if (points.length === 0) throw noPoints(file, options.shard);
  for (const point of points) parseFaultRules(rulesFileOf(point), { name: point.name, ground });
  const room = roomFor(numberIn('--jobs', options.jobs));
  let count = 0;
  const results = await onStages(ground, cassette, (target) =>
    sweep({
      command: client,
      points,
      target,
      env: process.env,
      clock: systemClock,
      room,
      deadline: numberIn('--deadline', options.deadline),
      done: () => progress(++count, points.length),
    }),
  );

  if (options.junit !== undefined) {
    const { junitXml } = await import('../../../text-report/junit.ts');
    writeReport(options.junit, junitXml(outcomeOf(file, results)));
  }
  const { red, dim } = coloursFor(process.stdout);
  const text = options.json
    ? JSON.stringify({ file, results: results.map(told) }, undefined, 2)
    : gridText({ results, file, verdicts: CLIENT_VERDICTS, paint: { bad: red, dim } }).join('\n');
  await print(`${text}\n`);
  return results.some(({ verdict }) => BAD.has(verdict)) ? EXIT.fellShort : EXIT.ok;
}

/** Returns a result for programs. Details of a withheld response are left out. */
function told({ point: { loses, ...point }, ...result }: Result): object {
  return { point: { ...point, losesAnswer: loses !== undefined }, ...result };
}

/** Runs `task` with what sets the recorded server up for each run. */
async function onStages(
  ground: FaultTransport,
  cassette: Cassette,
  task: (target: SweepOptions['target']) => Promise<Result[]>,
): Promise<Result[]> {
  if (ground === 'http') return task((await import('../../sweep-targets/http-target.ts')).httpTarget(cassette));
  const stages = (await import('../../sweep-targets/stdio-target.ts')).stdioTargets(cassette.file);
  endBySignal(stages.remove);
  return task(stages.target).finally(stages.remove);
}

/** Returns the requested number of jobs, or one per processor plus those that only wait. */
function roomFor(jobs: number | undefined): Limits {
  const busy = jobs ?? availableParallelism();
  return { busy, all: jobs ?? WAITING * busy };
}

function progress(done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of}${done === of ? '\n' : ''}`);
}

function faultsIn(text: string | undefined, ground: FaultTransport): readonly string[] {
  if (text === undefined) return sweptOn(ground);
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !FAULTS.has(name));
  if (unknown === undefined) return names;
  const meant = didYouMean(unknown, [...FAULTS.keys()]);
  throw bad(
    '--faults',
    text,
    `there is no fault "${unknown}"`,
    meant ? `Did you mean "${meant}"?` : 'docs/faults.md has them all.',
  );
}

function chosen(points: readonly FaultCase[], { point: names, shard }: Options): FaultCase[] {
  const unknown = names.find((name) => !points.some((point) => point.name === name));
  if (unknown !== undefined)
    throw bad(
      '--point',
      unknown,
      'there is no such point',
      `Points are a fault and a message: ${points[0]?.name ?? 'cut@1'}.`,
    );
  const wanted = names.length === 0 ? points : points.filter(({ name }) => names.includes(name));
  if (shard === undefined) return [...wanted];
  const [, part = '', parts = ''] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  if (Number(part) < 1 || Number(part) > Number(parts))
    throw bad(
      '--shard',
      shard,
      'it is not the number of a part and how many there are',
      'Write, for example, --shard 1/3.',
    );
  return shardOf(wanted, Number(part), Number(parts));
}

function numberIn(option: string, text: string | undefined): number | undefined {
  if (text === undefined || (/^\d{1,9}$/.test(text) && Number(text) > 0))
    return text === undefined ? undefined : Number(text);
  throw bad(option, text, 'it is not a whole number above 0', `Write, for example, ${option} 4.`);
}

function noPoints(file: string, shard: string | undefined): McpRecordError {
  return new McpRecordError({
    code: 'SWEEP_NO_POINTS',
    what: `Cannot sweep ${file}`,
    why: shard === undefined ? 'its server says nothing that could go wrong' : `part ${shard} has no points`,
    next:
      shard === undefined
        ? 'Record a session in which the server answers: mcp-record record -o FILE -- COMMAND.'
        : 'Divide it into fewer parts than it has points.',
  });
}

function bad(option: string, text: string, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'USAGE_BAD_SWEEP', what: `Cannot use ${option} ${text}`, why, next });
}

function outcomeOf(file: string, results: readonly Result[]): Outcome {
  const steps = results.map(({ point, verdict, duration, said }) => ({
    title: `${point.name} (${point.title})`,
    line: point.line,
    status: BAD.has(verdict)
      ? ('failed' as const)
      : verdict === 'unreached'
        ? ('skipped' as const)
        : ('passed' as const),
    duration,
    headline: verdict,
    details: said.split('\n').filter((line) => line !== ''),
  }));
  return {
    title: 'sweep',
    file,
    steps,
    notes: [],
    duration: results.reduce((sum, one) => sum + one.duration, 0),
  };
}
