/** Returns the least of the sorted numbers that `part` of them do not exceed (nearest rank). */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]!;
}
