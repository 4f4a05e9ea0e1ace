import type { Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import type { LoadStats } from './load-stats.ts';

type Operator = '<' | '<=' | '>' | '>=';

/** A condition on the figures of a load: it holds, or the load has failed. */
export interface Threshold {
  /** The condition as it was written. */
  text: string;
  /** Title of the requests that it is about. Absent: all. */
  what?: string;
  /**
   * `p95` and the like, `mean` or `max` of times; `failed`: how many checks fail; `rate`: answers a second;
   * `lostStreams`, `resumedStreams`: how many event streams.
   */
  metric: string;
  operator: Operator;
  /** Milliseconds, a number, or a percentage with `isPart`. */
  value: number;
  /** Whether `value` is a percentage of all checks. */
  isPart: boolean;
}

const SYNTAX =
  /^(?:(.+):)?(p\d{1,2}(?:\.\d+)?|mean|max|failed|rate|lostStreams|resumedStreams)(<=?|>=?)(\d+(?:\.\d+)?)(ms|s|%|\/s)?$/;
/** Units of each metric. The first one is meant where none is written. */
const UNITS = { time: ['ms', 's'], failed: ['', '%'], rate: ['/s'], lostStreams: [''], resumedStreams: [''] };
const COUNTS: ReadonlySet<string> = new Set(['failed', 'lostStreams', 'resumedStreams']);

/** Reports whether a metric counts what should not happen. */
export function isCount(metric: string): metric is 'failed' | 'lostStreams' | 'resumedStreams' {
  return COUNTS.has(metric);
}

/** Reports whether a metric is of event streams, which only servers over HTTP have. */
export function isOfStreams(metric: string): metric is 'lostStreams' | 'resumedStreams' {
  return isCount(metric) && metric !== 'failed';
}

export interface ThresholdOptions {
  /** Titles of all requests that are played, such as `tools/call "weather"`. */
  titles: readonly string[];
  /** Why no event streams can be counted. Absent: they can. */
  noStreams?: string | undefined;
}

/**
 * Parses a threshold: `p95<200ms`, `weather:p99<1s`, `failed<0.1%`, `rate>100/s`, `lostStreams<1`.
 * @throws McpRecordError USAGE_BAD_THRESHOLD
 */
export function parseThreshold(text: string, { titles, noStreams }: ThresholdOptions): Threshold {
  const [, name, metric = '', operator, number, unit = ''] = SYNTAX.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (operator === undefined) throw wrong(text, 'it is not METRIC<VALUE');
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
  // Such a condition holds however much goes wrong.
  if (isCount(metric) && operator.startsWith('>')) throw wrong(text, `${metric} can only have an upper limit`);
  const value = Number(number) * (unit === 's' ? 1_000 : 1);
  const condition = { text, metric, operator: operator as Operator, value, isPart: unit === '%' };
  if (name === undefined) return condition;
  if (kind !== 'time') throw wrong(text, `${metric} is that of all requests together`);
  const matching = titles.filter((title) => title === name || squeezed(title) === name || toolOf(title) === name);
  if (matching.length !== 1) {
    const named = [...new Set(titles.map(toolOf))].join(', ');
    throw wrong(text, matching.length > 1 ? `${name} may be ${matching.join(' or ')}` : `the requests are ${named}`);
  }
  return { ...condition, what: matching[0]! };
}

const squeezed = (title: string) => title.replaceAll(/\s/g, '');

/** Returns the name in the title of a request, such as that of a tool, or else its method. */
function toolOf(title: string): string {
  return /"(.*)"$/.exec(title)?.[1] ?? title;
}

/** What a threshold came to. `actual` undefined: there is no such answer, so that it has failed. */
export interface ThresholdResult extends Threshold {
  holds: boolean;
  actual?: number;
}

/** Checks a threshold. `duration`: that of the whole load. */
export function checkThreshold(threshold: Threshold, stats: LoadStats, duration: Milliseconds): ThresholdResult {
  const actual = actualOf(threshold, stats, duration);
  if (actual === undefined) return { ...threshold, holds: false };
  const { operator, value } = threshold;
  const isLess = operator.startsWith('<') ? actual < value : actual > value;
  return { ...threshold, holds: isLess || (operator.endsWith('=') && actual === value), actual };
}

function actualOf({ metric, what, isPart }: Threshold, stats: LoadStats, duration: Milliseconds): number | undefined {
  if (metric === 'failed') return isPart ? (100 * stats.failed) / stats.checks : stats.failed;
  if (isOfStreams(metric)) return stats[metric];
  if (metric === 'rate') return stats.answers / (duration / 1_000);
  const times = stats.times(what);
  if (metric === 'mean' || metric === 'max') return times?.[metric];
  return times?.percentile(Number(metric.slice(1)));
}

function wrong(text: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_THRESHOLD',
    what: `Cannot use --threshold ${text}`,
    why,
    next: "Write, for example, --threshold 'p95<200ms', --threshold 'weather:p99<1s' or --threshold 'failed<0.1%'.",
  });
}
