import type { Milliseconds } from '../../kernel/clock.ts';
import type { Verdict } from './verdict.ts';

/** Minimum number of hung points that have a common cause. */
const HUNG_MIN = 3;

/**
 * Returns a line on the likely cause if most points of a sweep hung: the client waits longer for an answer than a run may
 * take. Undefined: most did not.
 */
export function hungSummary(results: readonly { verdict: Verdict }[], deadline: Milliseconds): string | undefined {
  const hung = results.filter(({ verdict }) => verdict === 'hung').length;
  if (hung < HUNG_MIN || 2 * hung <= results.length) return undefined;
  return `${hung} of ${results.length} points hung: the client probably waits longer for an answer than the ${Math.round(deadline)} ms of a run. Official SDKs wait 60 s by default. Give the client a shorter timeout for requests (docs/sweep.md of this package, "A client that waits long"), or set --deadline above its own, such as --deadline 90000.`;
}
