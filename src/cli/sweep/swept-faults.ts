import type { FaultKind, FaultTransport } from '../../faults/fault.ts';
import { FAULTS } from '../../faults/fault-table.ts';
import { checkNoticeable, parseFaultRules, shortParams } from '../../faults/rules/parse-fault-rules.ts';
import { anyMethod } from '../../faults/rules/unknown-rule-method.ts';
import { isOfNotifications } from '../../faults/rules/when.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { grouped } from '../../kernel/format-count.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import { type FaultCase, rulesFileOf, SWEEP_PARAMETERS, type SweptFault } from '../../sweep/client/fault-cases.ts';
import type { DrawnPairs } from '../../sweep/draw-two-fault-points.ts';
import type { GridPoint } from '../../sweep/grid-text.ts';
import { seedFrom } from '../options/seed-option.ts';
import {
  allFaultsBut,
  badSweep,
  faultItems,
  faultNames,
  faultsButThese,
  noPoints,
  positiveNumber,
  type SweepCommandOptions,
  selectPoints,
} from './sweep-options.ts';

export interface SweptFaultOptions {
  /** The value of `--faults`. */
  faults: string | undefined;
  /** The values of `--point`. */
  point: readonly string[];
  /** Faults of a sweep without `--faults`. */
  defaults: readonly string[];
  /** Those of `--faults all`. Default: `defaults`. */
  all?: readonly string[];
}

/** Returns the faults of `--faults all`: the default ones, and all others that need no parameter to do anything. */
export function allFaultsOn(transport: FaultTransport, defaults: readonly string[]): string[] {
  const others = [...FAULTS.values()].filter(
    ({ name, transports }) => transports.includes(transport) && name !== 'patch',
  );
  return [...new Set([...defaults, ...others.map(({ name }) => name)])];
}

/** Returns a line about the faults of `--faults all` that no message of the session can have. Undefined: there are none. */
export function leftOutFaults(
  swept: readonly SweptFault[],
  points: readonly Pick<FaultCase, 'fault'>[],
): string | undefined {
  const names = swept.map(({ name }) => name).filter((name) => !points.some(({ fault }) => fault === name));
  return names.length === 0
    ? undefined
    : `left out, since no message of this session can have them: ${names.join(', ')}`;
}

/**
 * Returns the faults of a sweep of a client: those of `--faults`, and those of each `--point`. An item of `--faults` is
 * `fault` or `fault:name=value,name=value`. The same fault with other parameters is another one, whose row has them. A
 * plus in front keeps the default faults, and a minus before each item all others of them.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function sweptFaults({ faults, point, defaults, all = defaults }: SweptFaultOptions): SweptFault[] {
  const kept = faults === undefined ? defaults : (allFaultsBut(faults, all) ?? faultsButThese(faults, defaults));
  const added = faults?.startsWith('+') ? faults.slice(1) : faults;
  const written = added === undefined || kept ? [] : faultItems(added).map((item) => sweptFault(item, faults ?? ''));
  const base = kept ?? (added === faults ? [] : defaults);
  const own = once(written);
  const isNamed = (name: string) => own.some((one) => one.name === name);
  const known = [
    ...base.flatMap((name): SweptFault[] => (isNamed(name) ? own.filter((one) => one.name === name) : [{ name }])),
    ...own.filter(({ name }) => !base.includes(name)),
  ];
  const points = pointedFaults(point);
  for (const fault of points) {
    const isThere = fault.params
      ? (one: SweptFault) => one.params !== undefined && effectOf(one) === effectOf(fault)
      : (one: SweptFault) => one.name === fault.name;
    if (!known.some(isThere)) known.push(fault);
  }
  return known.map((fault) => {
    const isOneOfSeveral = known.some((one) => one !== fault && one.name === fault.name);
    const isPointed = points.some((one) => one.params && effectOf(one) === effectOf(fault));
    const { name, params } = fault;
    return params && (isOneOfSeveral || isPointed) ? { ...fault, row: `${name}:${paramsText(params)}` } : fault;
  });
}

/** Returns the faults of `--point`: `latency@3`, or `latency:delay=100@3`. A name that is none is refused later. */
function pointedFaults(point: readonly string[]): SweptFault[] {
  const names = point.flatMap((one) => one.split('+')).map((one) => one.split('@', 1)[0]!);
  const faults = names.filter((name) => FAULTS.has(name.split(':', 1)[0]!));
  return faults.map((name) => (name.includes(':') ? sweptFault(name, name, '--point') : { name }));
}

/** Returns each fault once. The same fault with other parameters is another one. */
function once(faults: readonly SweptFault[]): SweptFault[] {
  return faults.filter((fault, at) => faults.findIndex((one) => effectOf(one) === effectOf(fault)) === at);
}

/** Returns an identical text for faults with the same effect. */
function effectOf({ name, params }: SweptFault): string {
  return `${name} ${canonicalJson({ ...SWEEP_PARAMETERS[name], ...params })}`;
}

function paramsText(params: NonNullable<SweptFault['params']>): string {
  return Object.entries(params)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/**
 * Returns why a fault from `--faults` applies to no message, and the next step. Undefined: each named fault applies to
 * a message. A default fault without a message is no problem, if other faults have messages.
 */
export function withoutPoint(
  swept: readonly SweptFault[],
  points: readonly Pick<FaultCase, 'fault'>[],
  faults: string | undefined,
): { why: string; next: string } | undefined {
  const named = faults === undefined ? [] : faultItems(faults.replace(/^\+/, '')).map((item) => item.split(':', 1)[0]!);
  const names = swept.flatMap(({ name }) => (named.includes(name) ? [name] : []));
  const name = faultWithoutPoint(names, points);
  if (name === undefined) return undefined;
  const kind = FAULTS.get(name)!;
  if (name === 'cancel') {
    const why = `"${name}" is a fault of the messages of a client, and here a client is tested`;
    const forServer = `To test a server, add --server: mcp-record sweep --server --faults ${name} FILE -- COMMAND.`;
    return { why, next: `${forServer} ${LATE}` };
  }
  if (isOfMessages(kind)) {
    const [messages, what] =
      kind.when?.from === 'client'
        ? ['request of its client', 'the client makes such requests']
        : ['message of its server', 'the server sends such messages'];
    const next = `Record a session in which ${what}: mcp-record record -o FILE -- COMMAND.`;
    return { why: `no ${messages} can have the fault ${name}`, next };
  }
  const why = `a sweep has no place for "${name}": it happens to no message of the server, and to no request of the client`;
  const alone = `Try it by itself: ${replayLine(kind)}, and connect the client to it.`;
  return { why, next: name === 'ignore-cancel' ? `${alone} ${LATE}` : alone };
}

const LATE = 'How a client gives up and cancels, --faults late tests.';

/** Reports whether a fault happens to messages of the server, or to requests of the client. */
function isOfMessages({ when: { from, kind, method } = {} }: FaultKind): boolean {
  if (kind === 'end' || kind === 'authorization') return false;
  return from !== 'client' || !isOfNotifications({ ...(method && { method }) });
}

/** Returns the command that serves a cassette with a fault. */
function replayLine({ name, transports, when }: FaultKind): string {
  const http = transports.includes('stdio') ? '' : ' --http';
  return `mcp-record replay${http}${when?.kind === 'authorization' ? ' --auth' : ''} --fault ${name} FILE`;
}

/**
 * Checks that a client over `transport` can notice the fault of a case.
 * @throws McpRecordError FAULT_BAD_RULE, FAULT_NO_MEANING
 */
export function checkFaultCase(point: FaultCase, transport: FaultTransport): void {
  const { name } = point;
  checkNoticeable(parseFaultRules(rulesFileOf(point), { name, transport, usesMethod: anyMethod }).rules, {
    tested: 'client',
    name,
  });
}

/** Reports whether a client over `transport` can notice the fault of a case. */
export function isNoticeable(point: FaultCase, transport: FaultTransport): boolean {
  try {
    checkFaultCase(point, transport);
    return true;
  } catch (error) {
    if (error instanceof McpRecordError && error.code === 'FAULT_NO_MEANING') return false;
    throw error;
  }
}

/** Returns the first fault, or kind of arguments, without any point. */
export function faultWithoutPoint(names: readonly string[], points: readonly { fault: string }[]): string | undefined {
  return names.find((name) => !points.some(({ fault }) => fault === name));
}

function sweptFault(item: string, text: string, option = '--faults'): SweptFault {
  if (item.startsWith('{') || item === 'patch') {
    const why =
      item === 'patch'
        ? 'without a change to make, patch tests nothing, and a change is an object'
        : 'a parameter that is an object or a list has no short form';
    const next = 'Write the fault into a scenario, and run it with mcp-record run: see docs/scenarios.md.';
    throw badSweep({ option, text, why, next });
  }
  const [name = '', ...rest] = item.split(':');
  const given = rest.join(':').replace(/^:/, '');
  if (rest.length === 0 || !FAULTS.has(name)) {
    const [known = ''] = faultNames(item, [...FAULTS.keys()], 'docs/sweep.md');
    return { name: known };
  }
  if (/^[^:=]+=/.test(given)) return { name, params: shortParams(given) };
  // A bare number is the value of the fault's required parameter.
  const [needed] = Object.keys(SWEEP_PARAMETERS[name] ?? {});
  if (needed !== undefined && /^\d+(\.\d+)?$/.test(given)) return { name, params: { [needed]: Number(given) } };
  const why = `"${item}" has no parameter such as delay=3000`;
  const next = `A sweep chooses the messages itself. Write --faults ${name}, or ${name}:parameter=value.`;
  throw badSweep({ option, text, why, next });
}

/** The pairs of faults of a sweep. */
export interface SweptPairs<Point> {
  points: Point[];
  /** Says which pairs these are. */
  head: string;
}

/** Input for pairs: the points of a sweep with one fault each. */
export interface PairsOf<Point> {
  /** The cassette. */
  file: string;
  cases: readonly Point[];
  /** Side whose messages the faults apply to. */
  side: 'client' | 'server';
  /** Draws pairs of the cases. */
  draw(options: { count: number; seed: number }): DrawnPairs<Point>;
  /** Returns the pair of two cases. */
  pairOf(first: Point, second: Point): Point;
  /** Returns why a case cannot follow another one. Undefined: it can. */
  whyNot(first: Point, second: Point): string | undefined;
}

/** Maximum number of pairs of a sweep. */
const PAIRS_MAX = 100_000;

/** Reports whether a sweep is asked for pairs of faults: `--pairs 200`, or `--point drop@3+cut@5`. */
export function asksForPairs({ pairs, point }: Pick<SweepCommandOptions, 'pairs' | 'point'>): boolean {
  return pairs !== undefined || point.some((name) => name.includes('+'));
}

/**
 * Returns the pairs that the options name, or draw from the cases with one fault.
 * @throws McpRecordError USAGE_BAD_SWEEP, USAGE_BAD_SEED, SWEEP_NO_POINTS
 */
export function sweptPairs<Point extends GridPoint>(
  given: PairsOf<Point>,
  options: Pick<SweepCommandOptions, 'pairs' | 'point' | 'seed' | 'shard'>,
): SweptPairs<Point> {
  const { point, shard } = options;
  const { file, side, draw, pairOf } = given;
  const count = positiveNumber('--pairs', options.pairs);
  const seed = seedFrom(options.seed) ?? 1;
  if (count === undefined) {
    const points = selectPoints(
      point.map((name) => namedPair(name, given)),
      { point: [], ...(shard !== undefined && { shard }) },
    );
    if (points.length === 0) throw noPoints({ file, shard, why: '', next: '' });
    return { points, head: points.length === 1 ? 'one pair' : `${points.length} pairs` };
  }
  if (count > PAIRS_MAX) {
    const why = `a sweep has at most ${grouped(PAIRS_MAX)} pairs`;
    const next = `Draw fewer, and then others with another --seed, or choose the faults with --faults.`;
    throw badSweep({ option: '--pairs', text: String(options.pairs), why, next });
  }
  const { pairs, of } = draw({ count, seed });
  if (of === 0) {
    const why = `it has no two messages of its ${side}, of which the first may fail without an end of the session`;
    throw noPoints({ file, shard: undefined, why, next: 'Record a session with more calls.' });
  }
  const all = pairs.map(([first, second]) => pairOf(first, second));
  const points = selectPoints(all, { point: [], ...(shard !== undefined && { shard }) });
  if (points.length === 0) throw noPoints({ file, shard, why: '', next: '' });
  const which =
    pairs.length < of
      ? `${grouped(pairs.length)} of ${grouped(of)} pairs, drawn with --seed ${seed}`
      : `all ${grouped(of)} pairs`;
  return { points, head: shard === undefined ? which : `${grouped(points.length)} of ${which}` };
}

/**
 * Returns the pair with a name such as `drop@3+cut@5`.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function namedPair<Point extends GridPoint>(
  name: string,
  { cases, pairOf, whyNot }: Pick<PairsOf<Point>, 'cases' | 'pairOf' | 'whyNot'>,
): Point {
  const names = name.split('+');
  if (names.length !== 2) {
    const why = 'it is not two points with a plus between them';
    throw badSweep({ option: '--point', text: name, why, next: 'Write, for example, --point drop@3+cut@5.' });
  }
  const [first, second] = names.map((one) => selectPoints(cases, { point: [one] })[0]!) as [Point, Point];
  const why = whyNot(first, second);
  if (why === undefined) return pairOf(first, second);
  const turned = first.message > second.message ? `Write --point ${second.name}+${first.name}, or choose` : 'Choose';
  throw badSweep({ option: '--point', text: name, why, next: `${turned} a later message.` });
}
