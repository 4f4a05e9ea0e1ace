import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { numberedName } from '../../cassette/write/cassette-names.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { grouped } from '../../kernel/format-count.ts';
import { CHANGED_NOTHING } from '../../sweep/client/verdict.ts';
import type { Limits } from '../../sweep/concurrency-limiter.ts';
import { isOrderName } from '../../sweep/orders/order-cases.ts';
import type { IgnoreOptions } from '../options/ignore-options.ts';

/** Options of `sweep`, as commander gives them. */
export interface SweepCommandOptions extends IgnoreOptions {
  server?: boolean;
  http?: boolean;
  inputs?: boolean;
  destructive?: boolean;
  seed?: string;
  pairs?: string;
  orders?: string;
  faults?: string;
  point: string[];
  shard?: string;
  jobs?: string;
  deadline?: string;
  header: string[];
  otherRequests?: boolean;
  secretsFromEnv?: string;
  json?: boolean;
  junit?: string;
}

/** Maximum number of runs per processor. After its fault, a run mostly waits. */
const WAITING = 4;

/** Returns the requested number of jobs, or one per processor plus those that only wait. */
export function limitsFor(jobs: number | undefined): Limits {
  const busy = jobs ?? availableParallelism();
  return { busy, all: jobs ?? WAITING * busy };
}

/**
 * Parses `--faults` of a sweep of a server. With a minus before each name, all other known names are returned.
 * @throws McpRecordError USAGE_BAD_SWEEP for a name that is not in `known`
 */
export function faultNames(text: string, known: readonly string[], page: string): string[] {
  const kept = faultsButThese(text, known);
  if (kept !== undefined) return kept;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  const meant = didYouMean(unknown, known);
  const next = meant ? `Did you mean "${meant}"?` : `There are: ${known.join(', ')}. See ${page}.`;
  throw badSweep({ option: '--faults', text, why: `there is no fault "${unknown}"`, next });
}

/**
 * Returns the default faults but those that `--faults` leaves out: `-duplicate,-slice`. Undefined: it leaves out none.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function faultsButThese(text: string, defaults: readonly string[]): string[] | undefined {
  const items = text.split(',').map((item) => item.trim());
  const left = items.filter((item) => item.startsWith('-')).map((item) => item.slice(1));
  if (left.length === 0) return undefined;
  const bad = (why: string, next: string) => badSweep({ option: '--faults', text, why, next });
  if (left.length < items.length) {
    const why = 'some faults have a minus, and others have none';
    throw bad(
      why,
      'Name the faults to sweep with, or those to leave out: each with a minus, as in -duplicate,-slice. For both, sweep twice.',
    );
  }
  const other = left.find((name) => !defaults.includes(name));
  if (other !== undefined) {
    const meant = didYouMean(other, defaults);
    const next = meant ? `Did you mean "-${meant}"?` : `There are: ${defaults.join(', ')}.`;
    throw bad(`"${other}" is none of the faults of this sweep, so it cannot be left out`, next);
  }
  const kept = defaults.filter((name) => !left.includes(name));
  if (kept.length === 0) throw bad('no fault is left', 'Leave out fewer.');
  return kept;
}

/** Reports whether `--faults` has all faults, perhaps without some: `all,-coalesce`. */
export function asksForAll(faults: string | undefined): boolean {
  return faults === 'all' || faults?.startsWith('all,') === true;
}

/** Reports whether a sweep is asked for orders of messages: `--orders 100`, or `--point order@4,3`. */
export function asksForOrders({ orders, point }: Pick<SweepCommandOptions, 'orders' | 'point'>): boolean {
  return orders !== undefined || point.some(isOrderName);
}

/**
 * Returns the faults of `all`, or of `all,-coalesce`. Undefined: `--faults` has no `all`.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function allFaultsBut(text: string, all: readonly string[]): readonly string[] | undefined {
  if (!asksForAll(text)) return undefined;
  const without = text.split(',').slice(1).join(',');
  if (without === '') return all;
  const kept = faultsButThese(without, all);
  if (kept !== undefined) return kept;
  const next = 'Leave some out, as in --faults all,-coalesce, or sweep a second time with the others.';
  throw badSweep({ option: '--faults', text, why: 'all has every fault already', next });
}

/** Result of a point, as far as it says whether the fault happened. */
interface ReachedResult {
  point: { name: string; fault: string };
  verdict: string;
  /** Reason of the verdict. */
  why?: string;
}

/**
 * Returns the advice to leave out faults that happened in no run, or not at each message, since each such point is bad.
 * Undefined: there are none, or `--point` names the points.
 */
export function unreachedFaultsAdvice(
  { faults, point: named }: Pick<SweepCommandOptions, 'faults' | 'point'>,
  results: readonly ReachedResult[],
): string | undefined {
  if (named.length > 0) return undefined;
  const all = [...new Set(results.map(({ point }) => point.fault))];
  const reached = results.filter(({ verdict }) => verdict !== 'unreached').map(({ point }) => point);
  // The fault of a client that ended before it says something about the client.
  const left = all.filter((name) =>
    results.some(({ point, why }) => point.fault === name && why?.startsWith(CHANGED_NOTHING)),
  );
  if (left.length === 0) return undefined;
  const sometimes = left.filter((name) => reached.some(({ fault }) => fault === name));
  const never = left.filter((name) => !sometimes.includes(name));
  const without = faultsWithout(faults, left, all);
  const what = [
    ...(never.length === 0 ? [] : [`Nothing was tested with ${never.join(', ')}`]),
    ...(sometimes.length === 0 ? [] : [`${sometimes.join(', ')} could not happen at each message`]),
  ].join(', and ');
  const leave =
    without === undefined
      ? 'Choose other faults'
      : `To leave ${left.length === 1 ? 'it' : 'them'} out: --faults ${without}`;
  const points = reached.filter(({ fault }) => sometimes.includes(fault)).map(({ name }) => `--point ${name}`);
  const more = points.length > POINTS_MAX ? ' …' : '';
  const alone =
    points.length > 0
      ? `. For the ${points.length} where it happens, a sweep of their own: ${points.slice(0, POINTS_MAX).join(' ')}${more}`
      : '';
  return `${what}: see why above. ${leave}${alone}`;
}

/** Maximum number of points that an advice names. */
const POINTS_MAX = 12;

/** Returns the value of `--faults` without some faults. Undefined: no fault is left. `all`: names of all swept faults. */
function faultsWithout(
  faults: string | undefined,
  left: readonly string[],
  all: readonly string[],
): string | undefined {
  if (left.length === all.length) return undefined;
  const minus = left.map((name) => `-${name}`);
  if (faults === undefined) return minus.join(',');
  if (asksForAll(faults) || faults.startsWith('-')) return [faults, ...minus].join(',');
  const nameOf = (item: string) => item.trim().split(':', 1)[0]!;
  const items = faultItems(faults.replace(/^\+/, '')).filter((item) => !left.includes(nameOf(item)));
  const others = all.filter((name) => !left.includes(name) && !items.some((item) => nameOf(item) === name));
  return [...others, ...items].join(',');
}

/** Splits a value of `--faults` at commas, except commas between parameters of one fault. */
export function faultItems(text: string): string[] {
  return text.split(/,(?![^,:]*=)/).map((item) => item.trim());
}

/**
 * Returns the points that `--point` and `--shard` select.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function selectPoints<Point extends { name: string }>(
  points: readonly Point[],
  { point: names, shard }: Pick<SweepCommandOptions, 'point' | 'shard'>,
): Point[] {
  const unknown = names.find((name) => !points.some((point) => point.name === name));
  if (unknown !== undefined) {
    const fault = unknown.split('@', 1)[0]!;
    const such = points.filter(({ name }) => name.startsWith(`${fault}@`)).map(({ name }) => name);
    const next =
      such.length > 0
        ? `There are: ${such.join(', ')}.`
        : `Points are a fault and a message: ${points[0]?.name ?? 'cut@1'}.`;
    throw badSweep({ option: '--point', text: unknown, why: 'there is no such point', next });
  }
  const wanted = names.length === 0 ? points : points.filter(({ name }) => names.includes(name));
  if (shard === undefined) return [...wanted];
  const [, part = '', parts = ''] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  if (Number(part) < 1 || Number(part) > Number(parts)) {
    const why = 'it is not the number of a part and how many there are';
    throw badSweep({ option: '--shard', text: shard, why, next: 'Write, for example, --shard 1/3.' });
  }
  return shardOf(wanted, Number(part), Number(parts));
}

/** Returns the results of points by their names, in the order of the points. */
export function inOrder<Result>(points: readonly { name: string }[], results: ReadonlyMap<string, Result>): Result[] {
  return points.flatMap(({ name }) => results.get(name) ?? []);
}

/** Returns the points of one machine of several: `shard` of `shards`, from 1. */
function shardOf<Point>(points: readonly Point[], shard: number, shards: number): Point[] {
  return points.filter((_, index) => index % shards === shard - 1);
}

/**
 * Parses an option that is a whole number above 0.
 * @throws McpRecordError USAGE_BAD_SWEEP
 */
export function positiveNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  const why = 'it is not a whole number above 0';
  throw badSweep({ option, text, why, next: `Write, for example, ${option} 4.` });
}

export interface BadSweep {
  option: string;
  text: string;
  why: string;
  next: string;
}

export function badSweep({ option, text, why, next }: BadSweep): McpRecordError {
  return new McpRecordError({ code: 'USAGE_BAD_SWEEP', what: `Cannot use ${option} ${text}`, why, next });
}

export interface NoPoints {
  file: string;
  shard: string | undefined;
  /** Reason why the cassette has no points. */
  why: string;
  next: string;
}

export function noPoints({ file, shard, why, next }: NoPoints): McpRecordError {
  return new McpRecordError({
    code: 'SWEEP_NO_POINTS',
    what: `Cannot sweep ${file}`,
    why: shard === undefined ? why : `part ${shard} has no points`,
    next: shard === undefined ? next + newerText(file) : 'Divide it into fewer parts than it has points.',
  });
}

/** Error of a sweep in which no second fault happened: nothing was tested. */
export function noSecondFault(file: string, tested: 'client' | 'server', count: number): McpRecordError {
  const faults = tested === 'client' ? 'duplicate,latency,error-reply' : 'duplicate,latency,slice';
  return new McpRecordError({
    code: 'SWEEP_NO_POINTS',
    what: `Cannot sweep ${file} with pairs of faults`,
    why: `in none of ${grouped(count)} runs the second fault happened: the session ends at the first`,
    next: `Sweep it with single faults, or choose others with --faults, such as --faults ${faults}.`,
  });
}

/** Names the last cassette that `record -o FILE` has written beside FILE, because FILE existed. */
function newerText(file: string): string {
  let n = 1;
  while (existsSync(numberedName(file, n + 1))) n++;
  return n === 1 ? '' : ` A later recording is in ${numberedName(file, n)}.`;
}
