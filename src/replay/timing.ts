import type { Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';

/** Use of recorded delays in a replay: none, all, scaled, or capped. */
export type Timing = 'instant' | 'recorded' | { factor: number } | { cap: Milliseconds };

/** Returns the delay for a recorded delay of `gap`. */
export function delayOf(timing: Timing, gap: Milliseconds): Milliseconds {
  if (timing === 'instant') return 0;
  if (timing === 'recorded') return gap;
  return 'factor' in timing ? gap * timing.factor : Math.min(gap, timing.cap);
}

/** Formats a timing as `parseTiming` reads it. */
export function timingText(timing: Timing): string {
  if (typeof timing === 'string') return timing;
  return 'factor' in timing ? `${timing.factor}x` : `${timing.cap}ms`;
}

/**
 * Parses a timing: `instant`, `recorded`, `0.5x`, `200ms`.
 * @throws McpRecordError USAGE_BAD_TIMING
 */
export function parseTiming(text: string): Timing {
  if (text === 'instant' || text === 'recorded') return text;
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(x|ms)$/.exec(text) ?? [];
  if (unit === 'x') return { factor: Number(amount) };
  if (unit === 'ms') return { cap: Number(amount) };
  throw new McpRecordError({
    code: 'USAGE_BAD_TIMING',
    what: `Cannot use timing "${text}"`,
    why: 'it is none of instant, recorded, a factor such as 0.5x, or a cap such as 200ms',
    next: 'Leave the timing out for instant replay.',
  });
}
