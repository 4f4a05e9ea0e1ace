import type { Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import type { LoadStats } from './load-stats.ts';

type Operator = '<' | '<=' | '>' | '>=';

/** A pass condition on the figures of a load. */
export interface Threshold {
  /** The condition as written by the user. */
  text: string;
  /** Title of the requests to measure. Absent: all requests. */
  what?: string;
  /**
   * `p95` and other percentiles, `mean` or `max` of answer times; `failed`: failed checks; `rate`: answers a second;
   * `lostStreams`, `resumedStreams`: event streams.
   */
  metric: string;
  operator: Operator;
  /** Limit in milliseconds, as a number, or as a percentage (`isPart`). */
  value: number;
  /** Whether `value` is a percentage of all checks. */
  isPart: boolean;
}

const SYNTAX =
  /^(?:(.+):)?(p\d{1,2}(?:\.\d+)?|mean|max|failed|rate|lostStreams|resumedStreams)(<=?|>=?)(\d+(?:\.\d+)?)(ms|s|%|\/s)?$/;
/** Units of each metric. The first unit is the default. */
const UNITS = { time: ['ms', 's'], failed: ['', '%'], rate: ['/s'], lostStreams: [''], resumedStreams: [''] };
const COUNTS: ReadonlySet<string> = new Set(['failed', 'lostStreams', 'resumedStreams']);

/** Reports whether a metric counts failures or lost streams, of which fewer are better. */
export function isCount(metric: string): metric is 'failed' | 'lostStreams' | 'resumedStreams' {
  return COUNTS.has(metric);
}

/** Reports whether a metric counts event streams, which only HTTP servers have. */
export function isOfStreams(metric: string): metric is 'lostStreams' | 'resumedStreams' {
  return isCount(metric) && metric !== 'failed';
}

export interface ThresholdOptions {
  /** Titles of all played requests, such as `tools/call "weather"`. */
  titles: readonly string[];
  /** Reason why event streams cannot be counted. Absent if counting is possible. */
  noStreams?: string | undefined;
}

/**
 * Parses a threshold: `p95<200ms`, `weather:p99<1s`, `failed<0.1%`, `rate>100/s`, `lostStreams<1`.
 * @throws McpRecordError USAGE_BAD_THRESHOLD
 */
export function parseThreshold(text: string, { titles, noStreams }: ThresholdOptions): Threshold {
  const [, name, metric = '', operator, number, unit = ''] = SYNTAX.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (operator === undefined)
    throw wrong(
      text,
      'it is not METRIC<VALUE, with p95 (or another percentile), mean, max, failed, rate, lostStreams or resumedStreams as METRIC',
    );
  const kind = isCount(metric) || metric === 'rate' ? metric : 'time';
  const units = UNITS[kind];
  if (unit !== '' && !units.includes(unit)) {
    throw wrong(
      text,
      `${metric} is ${isOfStreams(metric) ? 'a number' : `in ${kind === 'failed' ? 'numbers or %' : units.join(' or ')}`}`,
    );
  }
  if (Number(metric.slice(1)) === 0) throw wrong(text, 'a percentile is above 0 and below 100');
  if (isOfStreams(metric) && noStreams !== undefined) throw wrong(text, noStreams);
  // Such conditions hold however much goes wrong.
  if (isCount(metric) && operator.startsWith('>')) throw wrong(text, `${metric} can only have an upper limit`);
  const limit = Number(number);
  const isAllParts = unit === '%' && (limit > 100 || (limit === 100 && operator === '<='));
  if (isAllParts || (limit === 0 && operator.startsWith('>'))) throw wrong(text, 'it always holds');
  const value = Number(number) * (unit === 's' ? 1_000 : 1);
  const condition = { text, metric, operator: operator as Operator, value, isPart: unit === '%' };
  if (name === undefined) return condition;
  if (kind !== 'time')
    throw wrong(text, `${metric} is that of all requests together`, nextForTotal(text, metric, titles));
  const matching = titles.filter((title) => title === name || squeezed(title) === name || toolOf(title) === name);
  if (matching.length !== 1) throw wrong(text, noSingleRequest(name, matching, titles));
  return { ...condition, what: matching[0]! };
}

/** Describes why a name stands for no request, or for several. */
function noSingleRequest(name: string, matching: readonly string[], titles: readonly string[]): string {
  if (matching.length > 1) return `${name} may be ${matching.join(' or ')}`;
  const names = [...new Set(titles.map((title) => nameOf(title, titles)))];
  const ofMethod = titles.find((title) => title.startsWith(`${name} "`));
  if (ofMethod === undefined) return `the requests are ${names.join(', ')}`;
  return `${name} is a method whose requests are measured by name: write, for example, ${nameOf(ofMethod, titles)}`;
}

/** Returns the shortest name of a request: that of its tool, or its title if another request has the same name. */
function nameOf(title: string, titles: readonly string[]): string {
  const tool = toolOf(title);
  return titles.filter((other) => toolOf(other) === tool).length === 1 ? tool : title;
}

const squeezed = (title: string) => title.replaceAll(/\s/g, '');

/** Returns the quoted name in a request's title, such as a tool's name. Without a name, returns the title. */
function toolOf(title: string): string {
  return /"(.*)"$/.exec(title)?.[1] ?? title;
}

/** Result of a threshold. Without matching answers, `actual` is undefined and the threshold fails. */
export interface ThresholdResult extends Threshold {
  holds: boolean;
  actual?: number;
}

/** Checks a threshold. `duration` is the duration of the load. */
export function checkThreshold(threshold: Threshold, stats: LoadStats, duration: Milliseconds): ThresholdResult {
  const actual = actualOf(threshold, stats, duration);
  if (actual === undefined) return { ...threshold, holds: false };
  const { operator, value } = threshold;
  const isLess = operator.startsWith('<') ? actual < value : actual > value;
  return { ...threshold, holds: isLess || (operator.endsWith('=') && actual === value), actual };
}

function actualOf({ metric, what, isPart }: Threshold, stats: LoadStats, duration: Milliseconds): number | undefined {
  const { counts } = stats;
  if (metric === 'failed') return isPart ? (100 * counts.failed) / counts.checks : counts.failed;
  if (isOfStreams(metric)) return counts[metric];
  if (metric === 'rate') return counts.answers / (duration / 1_000);
  const times = stats.times(what);
  if (metric === 'mean' || metric === 'max') return times?.[metric];
  return times?.percentile(Number(metric.slice(1)));
}

const EXAMPLES =
  "Write, for example, --threshold 'p95<200ms', --threshold 'weather:p99<1s' or --threshold 'failed<0.1%'.";

/** Returns the next step for a condition on a total that names one request. */
function nextForTotal(text: string, metric: string, titles: readonly string[]): string {
  const condition = text.slice(text.lastIndexOf(metric));
  if (metric === 'rate')
    return `Write --threshold '${condition}' for all ${titles.length} kinds of requests together, and limit the time of this one with, for example, p95<200ms.`;
  if (metric === 'failed')
    return `Write --threshold '${condition}' for all requests, or load a cassette with this request alone: the table has its failures, and --json its "answers" and "failed" in "calls".`;
  return `Write --threshold '${condition}'.`;
}

function wrong(text: string, why: string, next: string = EXAMPLES): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_THRESHOLD',
    what: `Cannot use --threshold ${text}`,
    why,
    next,
  });
}
