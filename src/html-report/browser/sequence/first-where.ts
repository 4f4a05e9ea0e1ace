/**
 * Returns the first position below `count` for which `isPast` holds, by binary search; `count` if there is none.
 * `isPast` must hold for all later positions, too.
 */
export function firstWhere(count: number, isPast: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
