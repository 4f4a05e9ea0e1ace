import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cassette } from '../../cassette/cassette.ts';
import { cassetteText } from '../../cassette/write/cassette-text.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import { systemClock as clock, type Milliseconds } from '../../kernel/clock.ts';
import { isObject } from '../../protocol/message.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { unplayableFindingsOf } from '../../replay/findings/unplayable-findings.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import type { MockTarget } from '../../sweep/client/attempt-run.ts';
import { type FaultCase, faultMatrix, type SweptFault, sweptOn } from '../../sweep/client/fault-cases.ts';
import { faultPair, whyNoFaultPair } from '../../sweep/client/two-faults-per-run.ts';
import { type GridPoint, rowOf } from '../../sweep/grid-text.ts';
import { isOrderName } from '../../sweep/orders/order-cases.ts';
import { inputCases } from '../../sweep/server/inputs/input-cases.ts';
import { INPUT_KINDS } from '../../sweep/server/inputs/input-kinds.ts';
import { listedTools } from '../../sweep/server/inputs/tools-listed-in-cassette.ts';
import { misbehaviourCases } from '../../sweep/server/misbehaviour-cases.ts';
import { misbehavioursOver } from '../../sweep/server/misbehaviour-table.ts';
import { misbehaviourPair, pairRules } from '../../sweep/server/two-misbehaviours-per-session.ts';
import { failingClient, faultCasesAt, type PlacedFault } from '../../sweep/shrink/failing-client.ts';
import { failingServer, inputProgram } from '../../sweep/shrink/failing-server.ts';
import { failingServerOrder } from '../../sweep/shrink/failing-server-order.ts';
import type { FailingProgram } from '../../sweep/shrink/same-failure.ts';
import { loadWithProgress } from '../io/load-with-progress.ts';
import { say } from '../io/output.ts';
import { givenHeaders } from '../options/header-options.ts';
import { givenIgnores } from '../options/ignore-options.ts';
import { outputRedactor } from '../reports/output-redactor.ts';
import { givenSecrets, loadRecordedClient } from './load-recorded-client.ts';
import { orderPoint, serverOrderPoint } from './orders/order-point.ts';
import { serverTarget } from './server-target.ts';
import { badSweep, noPoints, type SweepCommandOptions, selectPoints } from './sweep-options.ts';
import { allFaultsOn, checkFaultCase, namedPair, type PairsOf, sweptFaults } from './swept-faults.ts';

/** Single point of a sweep, to run alone. */
export interface PointRequest {
  /** The cassette. */
  file: string;
  /** Name of the point. */
  name: string;
  /** Parameters of the point's fault. Absent: the defaults of the sweep. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Program under test: the words of its command, or the URL of a server. */
  words: readonly string[];
  seed: number;
  deadline: Milliseconds | undefined;
  options: Omit<SweepCommandOptions, 'point'>;
}

export interface ProgramLimits {
  /** Time limit for a run of a client. */
  deadline: Milliseconds;
  /** A text about each request of a client that the cassette does not answer. Absent: none is a failure. */
  unserved?: readonly string[];
}

/** Point of a sweep, together with its program under test. */
export interface FoundSweepPoint {
  cassette: Cassette;
  point: GridPoint;
  /** Cassette lines of the faults. A pair has two lines. */
  lines: readonly number[];
  /** Parameters of the fault. For a pair: parameters by fault name. Absent: no fault has parameters. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Redacts all printed and written text about the point. */
  redactor: Redactor;
  /** Returns the program under test. */
  program(limits: ProgramLimits): FailingProgram;
  /** Starts the recorded server for a client under test. Absent: the program under test is a server. */
  target?(cassette: Cassette, point: FaultCase | undefined): Promise<MockTarget>;
  /** Finds fewer lines that are enough for the failure. Absent: each is needed. */
  narrow?(deadline: Milliseconds): Promise<readonly number[]>;
  /** Point of the first run of a client. Absent: that run has no fault and no given order. */
  baseline?: FaultCase;
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
  const sent = await givenHeaders(options.http, options.header, process.env);
  const target = await serverTarget(words, { http: options.http, headers: sent.headers });
  const { ignore } = givenIgnores(options);
  const redactor = await outputRedactor(options, sent);
  const common = { target, clock, deadline, ignore };
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
    const [fault = ''] = name.split('@', 1);
    const program = () => withSecrets(inputProgram({ ...common, fault, tool: point.tool.name, seed }), options);
    return { cassette, point, ...placeOf([point]), program, redactor, remove() {} };
  }
  if (isOrderName(name)) {
    const program = () => withSecrets(failingServerOrder(common), options);
    return { cassette, redactor, ...serverOrderPoint({ cassette, request, program }), remove() {} };
  }
  const cases = misbehaviourCases(cassette, misbehavioursOver(transport), transport);
  const { whyNot } = pairRules(cassette, transport);
  const { point, members } = pointOrPair({ name, file, cases, pairOf: misbehaviourPair, whyNot });
  const program = () => withSecrets(failingServer({ ...common, faults: members.map(({ fault }) => fault) }), options);
  return { cassette, point, ...placeOf(members), program, redactor, remove() {} };
}

/** Returns a program that gets secrets in place of their placeholders. The cassettes themselves keep these. */
function withSecrets(program: FailingProgram, options: PointRequest['options']): FailingProgram {
  return {
    attempt: async (cassette, lines, isSearch) =>
      program.attempt(await givenSecrets(cassette, options), lines, isSearch),
  };
}

async function clientPoint(request: PointRequest): Promise<FoundSweepPoint> {
  const { file, name, params, words, options } = request;
  const cassette = loadWithProgress(file);
  for (const warning of cassette.warnings) say(warning);
  for (const { text } of unplayableFindingsOf(cassette, 'server')) say(text);
  const transport = options.http ? 'http' : 'stdio';
  if (isOrderName(name)) {
    const served = await servedFrom(cassette, transport);
    const redactor = await outputRedactor(options);
    return { cassette, redactor, ...served, ...orderPoint({ cassette, transport, request, target: served.target }) };
  }
  const defaults = sweptOn(transport);
  const known = sweptFaults({ faults: options.faults, point: [name], defaults, all: allFaultsOn(transport, defaults) });
  const written = paramsByFault(name, params);
  const swept = known.map((one): SweptFault => {
    const own = written.get(one.row ?? one.name);
    return own ? { ...one, params: own } : one;
  });
  const cases = faultMatrix(stripHttp(cassette), swept);
  const pairOf = (first: FaultCase, second: FaultCase) => faultPair(first, second, cases);
  const { point, members } = pointOrPair({ name, file, cases, pairOf, whyNot: whyNoFaultPair });
  for (const member of members) checkFaultCase(member, transport);
  const faults = members.map((member): PlacedFault => {
    const fault = swept.find((one) => one.name === member.fault && one.row === member.row)!;
    return { fault, place: faultCasesAt(cassette, fault, member.line).findIndex((one) => one.name === member.name) };
  });
  const served = await servedFrom(cassette, transport);
  const { target } = served;
  return {
    cassette,
    point,
    ...placeOf(members),
    params: paramsOf(members),
    ...served,
    redactor: await outputRedactor(options),
    program: (limits) => failingClient({ command: words, env: process.env, clock, ...limits, faults, target }),
  };
}

/** Returns what starts the recorded server, with the files that it needs. */
async function servedFrom(
  cassette: Cassette,
  transport: FaultTransport,
): Promise<Required<Pick<FoundSweepPoint, 'target' | 'remove'>>> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-point-'));
  return {
    target: await targetOf(cassette, transport, folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Splits the parameters of a scenario's point by fault. A pair has its parameters under the names of its faults.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
function paramsByFault(
  name: string,
  params: PointRequest['params'],
): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  if (params === undefined) return new Map();
  if (!name.includes('+')) return new Map([[name.split('@', 1)[0]!, params]]);
  const faults = name.split('+').map((one) => one.split('@', 1)[0]!);
  return new Map(
    Object.entries(params).map(([fault, own]) => {
      if (faults.includes(fault) && isObject(own)) return [fault, own];
      const why = `the parameters of a pair are by its faults, and "${fault}" is ${isObject(own) ? 'none of them' : 'no mapping'}`;
      const next = `Write, for example, params: { ${faults[0]}: { … } }.`;
      throw badSweep({ option: 'params', text: JSON.stringify(params), why, next });
    }),
  );
}

/** Joins the parameters of a point's faults into the form used in a scenario. */
function paramsOf(members: readonly FaultCase[]): FoundSweepPoint['params'] {
  if (members.length === 1) return members[0]!.params;
  const own = Object.fromEntries(members.flatMap((one) => (one.params ? [[rowOf(one), one.params]] : [])));
  return Object.keys(own).length > 0 ? own : undefined;
}

function placeOf(members: readonly GridPoint[]): Pick<FoundSweepPoint, 'lines'> {
  return { lines: members.map(({ line }) => line) };
}

interface NamedPoint<Point> extends Pick<PairsOf<Point>, 'file' | 'cases' | 'pairOf' | 'whyNot'> {
  name: string;
}

/** Returns the point with a name, and its members: itself, or the two points of a pair. */
function pointOrPair<Point extends GridPoint>({
  name,
  file,
  ...given
}: NamedPoint<Point>): {
  point: Point;
  members: readonly Point[];
} {
  if (!name.includes('+') || given.cases.length === 0) {
    const point = onlyPoint(given.cases, name, file);
    return { point, members: [point] };
  }
  const members = name.split('+').map((one) => onlyPoint(given.cases, one, file));
  return { point: namedPair(name, given), members };
}

function onlyPoint<Point extends GridPoint>(points: readonly Point[], name: string, file: string): Point {
  if (points.length > 0) return selectPoints(points, { point: [name] })[0]!;
  const next = 'Name the cassette that the sweep had: mcp-record sweep lists its points.';
  throw noPoints({ file, shard: undefined, why: 'it has no message of the side that misbehaves', next });
}

/** Returns a function that starts the recorded server of the given cassette, or of a smaller version. */
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
