import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cassette } from '../../cassette/cassette.ts';
import { cassetteText } from '../../cassette/write/cassette-text.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import { systemClock as clock, type Milliseconds } from '../../kernel/clock.ts';
import { unplayableFindingsOf } from '../../replay/findings/unplayable-findings.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import type { MockTarget } from '../../sweep/client/attempt-run.ts';
import { type FaultCase, faultMatrix, type SweptFault, sweptOn } from '../../sweep/client/fault-cases.ts';
import type { GridPoint } from '../../sweep/grid-text.ts';
import { inputCases } from '../../sweep/server/inputs/input-cases.ts';
import { INPUT_KINDS } from '../../sweep/server/inputs/input-kinds.ts';
import { listedTools } from '../../sweep/server/inputs/listed-tools.ts';
import { misbehaviourCases } from '../../sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../sweep/server/misbehaviour-table.ts';
import { failingClient, faultCasesAt } from '../../sweep/shrink/failing-client.ts';
import { failingServer, inputProgram } from '../../sweep/shrink/failing-server.ts';
import type { FailingProgram } from '../../sweep/shrink/same-failure.ts';
import { loadWithProgress } from '../io/load-with-progress.ts';
import { say } from '../io/output.ts';
import { givenIgnores } from '../options/ignore-options.ts';
import { givenSecrets, loadRecordedClient } from './load-recorded-client.ts';
import { serverTarget } from './server-target.ts';
import { noPoints, type SweepCommandOptions, selectPoints } from './sweep-options.ts';
import { checkFaultCase, sweptFaults } from './swept-faults.ts';

/** One point of a sweep, to be run by itself. */
export interface PointRequest {
  /** The cassette. */
  file: string;
  /** Name of the point. */
  name: string;
  /** Parameters of its fault. Absent: those of the sweep. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** The program under test: its command, or the URL of a server. */
  words: readonly string[];
  seed: number;
  deadline: Milliseconds | undefined;
  options: Omit<SweepCommandOptions, 'point'>;
}

/** A point of a sweep, with the program that may fail there. */
export interface FoundSweepPoint {
  cassette: Cassette;
  point: GridPoint & Pick<FaultCase, 'params'>;
  /** Returns the program under test. `deadline` is that of a client's runs. */
  program(deadline: Milliseconds): FailingProgram;
  /** Starts the recorded server for a client under test. Absent: a server is tested. */
  target?(cassette: Cassette, point: FaultCase | undefined): Promise<MockTarget>;
  /** Deletes temporary files. */
  remove(): void;
}

/**
 * Loads a cassette, and finds one point in it.
 * @throws McpRecordError USAGE_BAD_SWEEP, SWEEP_NO_POINTS, and those of the cassette
 */
export async function findSweepPoint(request: PointRequest): Promise<FoundSweepPoint> {
  if (!request.options.server) return await clientPoint(request);
  const { file, name, words, options, seed, deadline } = request;
  const cassette = loadRecordedClient(file, options);
  for (const warning of cassette.warnings) say(warning);
  const target = await serverTarget(words, options);
  const { ignore } = givenIgnores(options);
  const [fault = ''] = name.split('@', 1);
  const common = { target, clock, deadline, ignore, fault };
  const { transport } = target;
  if (options.inputs) {
    const tools = listedTools(cassette);
    const { points } = inputCases({ tools, kinds: [...INPUT_KINDS.keys()], seed, file });
    const point = onlyPoint(points, name, file);
    if (point.tool.isDestructive && !options.destructive) {
      const why = `the tool ${JSON.stringify(point.tool.name)} may change or remove something`;
      const next = 'Add --destructive to call it, on a server that may lose its data.';
      throw noPoints({ file, shard: undefined, why, next });
    }
    const program = () => withSecrets(inputProgram({ ...common, tool: point.tool.name, seed }), options);
    return { cassette, point, program, remove() {} };
  }
  const point = onlyPoint(misbehaviourCases(cassette, misbehavioursOver(transport), transport), name, file);
  return { cassette, point, program: () => withSecrets(failingServer(common), options), remove() {} };
}

/** Returns a program that gets secrets in place of their placeholders. The cassettes themselves keep these. */
function withSecrets(program: FailingProgram, options: PointRequest['options']): FailingProgram {
  return {
    attempt: async (cassette, line, isSearch) => program.attempt(await givenSecrets(cassette, options), line, isSearch),
  };
}

async function clientPoint({ file, name, params, words, options }: PointRequest): Promise<FoundSweepPoint> {
  const cassette = loadWithProgress(file);
  for (const warning of cassette.warnings) say(warning);
  for (const { text } of unplayableFindingsOf(cassette, 'server')) say(text);
  const transport = options.http ? 'http' : 'stdio';
  const [fault = ''] = name.split('@', 1);
  const known = sweptFaults({ faults: options.faults, point: [name], defaults: sweptOn(transport) });
  const swept = known.map((one): SweptFault => (params && one.name === fault ? { ...one, params } : one));
  const point = onlyPoint(faultMatrix(stripHttp(cassette), swept), name, file);
  checkFaultCase(point, transport);
  const own = swept.find((one) => one.name === fault)!;
  const place = faultCasesAt(cassette, own, point.line).findIndex((one) => one.name === name);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-point-'));
  const target = await targetOf(cassette, transport, folder);
  return {
    cassette,
    point,
    target,
    program: (deadline) =>
      failingClient({ command: words, env: process.env, clock, deadline, fault: own, place, target }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function onlyPoint<Point extends GridPoint>(points: readonly Point[], name: string, file: string): Point {
  if (points.length > 0) return selectPoints(points, { point: [name] })[0]!;
  const next = 'Name the cassette that the sweep had: mcp-record sweep lists its points.';
  throw noPoints({ file, shard: undefined, why: 'it has no message of the side that misbehaves', next });
}

/** Returns what starts the recorded server of a cassette, or of a smaller one. */
async function targetOf(
  whole: Cassette,
  transport: FaultTransport,
  folder: string,
): Promise<NonNullable<FoundSweepPoint['target']>> {
  if (transport === 'http') {
    const { httpMockServer } = await import('./http-mock-server.ts');
    return (cassette, point) => httpMockServer(cassette)(point);
  }
  const { stdioTargets } = await import('./mock-server-command-lines.ts');
  return async (cassette, point) => {
    const file = cassette === whole ? whole.file : join(folder, 'cassette.yaml');
    if (cassette !== whole) writeFileSync(file, cassetteText(cassette));
    const targets = stdioTargets(file, folder);
    return await targets.target(point);
  };
}
