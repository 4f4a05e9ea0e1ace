/**
 * The first of the positions below `count` for which `isPast` holds, where it then holds for all that follow; `count` if
 * it holds for none. Looks at as many as `count` has binary digits.
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
