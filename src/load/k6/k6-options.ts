import type { Milliseconds } from '../../kernel/clock.ts';
import type { Threshold } from '../threshold.ts';

/** The load that a script makes. */
export interface K6Load {
  clients: number;
  /** Sessions a second. Absent: each client starts its next session when the last one has ended. */
  rate?: number;
  duration: Milliseconds;
  ramp: Milliseconds;
  thresholds: readonly Threshold[];
  /** Maximum wait for an answer. */
  patience: Milliseconds;
}

export interface K6OptionsInput extends K6Load {
  /** Tags of requests, by title. */
  tags: ReadonlyMap<string, string>;
  /** Number of messages in the longest session. */
  steps: number;
}

/** Maximum extra time in which running sessions may end after the load. */
const GRACE_MAX: Milliseconds = 600_000;

/** Returns the `options` of a script. */
export function k6Options({ patience, steps, ...load }: K6OptionsInput): Record<string, unknown> {
  const gracefulStop = timeText(Math.min(GRACE_MAX, patience * (steps + 1)));
  return {
    scenarios: { mcp: { ...scenarioOf(load), gracefulStop } },
    thresholds: thresholdsOf(load),
    summaryTrendStats: ['avg', 'p(50)', 'p(95)', 'p(99)', 'max'],
  };
}

type Shape = Pick<K6Load, 'clients' | 'rate' | 'duration' | 'ramp'>;

function scenarioOf(load: Shape): Record<string, unknown> {
  const { clients, rate, duration, ramp } = load;
  if (rate === undefined && ramp === 0) return { executor: 'constant-vus', vus: clients, duration: timeText(duration) };
  if (rate === undefined) {
    const stages = stagesOf(load, clients);
    return { executor: 'ramping-vus', startVUs: 1, stages, gracefulRampDown: timeText(GRACE_MAX) };
  }
  const { count, timeUnit } = wholeRate(rate);
  const vus = { timeUnit, preAllocatedVUs: clients, maxVUs: clients };
  if (ramp === 0) return { executor: 'constant-arrival-rate', rate: count, duration: timeText(duration), ...vus };
  return { executor: 'ramping-arrival-rate', startRate: 0, stages: stagesOf(load, count), ...vus };
}

/** Returns the stages of a load: the ramp, and the constant part. A ramp longer than the load is cut off. */
function stagesOf({ duration, ramp }: Shape, target: number): { duration: string; target: number }[] {
  if (ramp >= duration) {
    const reached = Math.max(1, Math.round((target * duration) / ramp));
    return [{ duration: timeText(duration), target: reached }];
  }
  return [
    { duration: timeText(ramp), target },
    { duration: timeText(duration - ramp), target },
  ];
}

/** Converts a rate to integers, as k6 requires: a number of sessions in a number of seconds. */
function wholeRate(rate: number): { count: number; timeUnit: string } {
  const thousandths = Math.round(rate * 1_000);
  const common = greatestDivisor(thousandths, 1_000);
  return { count: thousandths / common, timeUnit: `${1_000 / common}s` };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/**
 * Returns the thresholds. A k6 threshold also passes without any measurement, so a second one requires at least one
 * answer.
 */
function thresholdsOf({
  thresholds,
  tags,
  rate,
}: Pick<K6OptionsInput, 'thresholds' | 'tags' | 'rate'>): Record<string, string[]> {
  const byMetric: Record<string, string[]> = { mcp_answers: ['count>0'] };
  const add = (metric: string, condition: string) => {
    byMetric[metric] = [...new Set([...(byMetric[metric] ?? []), condition])];
  };
  if (!thresholds.some(({ metric }) => metric === 'failed')) add('mcp_failed', 'rate==0');
  if (rate !== undefined) add('dropped_iterations', 'count==0');
  for (const { metric, operator, value, what, isPart } of thresholds) {
    const selector = what === undefined ? '' : `{request:${tags.get(what)}}`;
    if (metric === 'failed' && isPart) add('mcp_failed', `rate${operator}${value / 100}`);
    else if (metric === 'failed') add('mcp_failures', `count${operator}${value}`);
    else if (metric === 'rate') add('mcp_answers', `rate${operator}${value}`);
    else {
      if (what !== undefined) add(`mcp_answers${selector}`, 'count>0');
      add(`mcp_answer_time${selector}`, `${aggregateOf(metric)}${operator}${value}`);
    }
  }
  return byMetric;
}

function aggregateOf(metric: string): string {
  if (metric === 'mean') return 'avg';
  return metric === 'max' ? 'max' : `p(${metric.slice(1)})`;
}

/** Formats a time as k6 reads it. */
function timeText(time: Milliseconds): string {
  return time % 1_000 === 0 ? `${time / 1_000}s` : `${Math.round(time)}ms`;
}

/** Returns a tag for each title, made of characters that k6 thresholds accept. */
export function requestTags(titles: readonly string[]): Map<string, string> {
  const tags = new Map<string, string>();
  const used = new Set<string>();
  for (const title of new Set(titles)) {
    const plain =
      title
        .replaceAll('"', '')
        .replaceAll(/[^\w./ -]/g, '_')
        .trim() || 'request';
    let tag = plain;
    for (let n = 2; used.has(tag); n++) tag = `${plain} ${n}`;
    used.add(tag);
    tags.set(title, tag);
  }
  return tags;
}
