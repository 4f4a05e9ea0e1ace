import type { Verdict } from './verdict.ts';

/**
 * Faults with which each answer still comes, unchanged and in time. A client that gives up there has lost nothing. The
 * server breaks a rule only with `junk` ("The server MUST NOT write anything to its stdout that is not a valid MCP
 * message", Transports, "stdio"). No revision has a rule about a response that comes twice.
 */
const LOSSLESS: ReadonlySet<string> = new Set([
  'duplicate',
  'junk',
  'slice',
  'coalesce',
  'reorder',
  'redeliver',
  'stderr-flood',
]);

/** Result of a point of a client. */
interface PointResult {
  point: { name: string; fault: string };
  verdict: Verdict;
}

/** Returns the results of a client that gave up although its fault took no answer away. */
export function reportedWithoutLoss<Result extends PointResult>(results: readonly Result[]): Result[] {
  return results.filter(({ verdict, point }) => verdict === 'reported' && LOSSLESS.has(point.fault));
}

/** Names the points of these results: the first of each fault, and the number of the others. */
export function firstPointsText(results: readonly PointResult[]): string {
  const faults = [...new Set(results.map(({ point }) => point.fault))];
  return faults
    .map((fault) => {
      const [first, ...more] = results.filter(({ point }) => point.fault === fault);
      return `${first!.point.name}${more.length > 0 ? ` and ${more.length} more` : ''}`;
    })
    .join(', ');
}
