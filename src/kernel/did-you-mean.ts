/**
 * Returns the name of `names` that `typed` probably misspells. Undefined: no name is within `distanceMax` edits
 * (default: half the length of `typed`).
 */
export function didYouMean(typed: string, names: readonly string[], distanceMax?: number): string | undefined {
  const start = typed.slice(0, LENGTH_MAX).toLowerCase();
  let best: string | undefined;
  let least = distanceMax ?? Math.max(1, Math.floor(start.length / 2));
  for (const name of names) {
    // Names of other lengths need at least as many edits.
    if (Math.abs(start.length - name.length) > least) continue;
    const distance = editDistance(start, name.toLowerCase());
    if (distance <= least && (best === undefined || distance < least)) {
      best = name;
      least = distance;
    }
  }
  return best;
}

/** Maximum length of a typed name. No known name is that long. */
const LENGTH_MAX = 40;

/** Returns the edit distance: the number of characters to insert, delete, replace or swap that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
