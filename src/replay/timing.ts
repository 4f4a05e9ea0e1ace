import type { Milliseconds } from '../kernel/clock.ts';

/** How much of the recorded gaps replay keeps: none, all, a multiple, or all up to a limit. */
export type Timing = 'instant' | 'recorded' | { factor: number } | { cap: Milliseconds };

/** How long to wait where the tape waited `gap`. */
export function delayOf(timing: Timing, gap: Milliseconds): Milliseconds {
  if (timing === 'instant') return 0;
  if (timing === 'recorded') return gap;
  return 'factor' in timing ? gap * timing.factor : Math.min(gap, timing.cap);
}
