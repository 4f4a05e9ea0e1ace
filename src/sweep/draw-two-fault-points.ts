import { seededRandom } from '../kernel/random.ts';
import type { GridPoint } from './grid-text.ts';

export interface DrawPairsOptions<Point> {
  count: number;
  seed: number;
  /** Reports whether a point may come first in a pair. */
  isFirst(point: Point): boolean;
  /** Returns the later messages that are never sent after the first point of a pair. Absent: there are none. */
  lostAfter?(first: Point): ReadonlySet<number>;
}

export interface DrawnPairs<Point> {
  /** Drawn pairs in cassette order. */
  pairs: (readonly [Point, Point])[];
  /** Number of all pairs. */
  of: number;
}

/**
 * Draws pairs of points, of which the second one is at a later message. Equal seeds draw equal pairs. Only the drawn pairs
 * are kept: a long cassette has hundreds of millions.
 */
export function drawPairs<Point extends GridPoint>(
  points: readonly Point[],
  { count, seed, isFirst, lostAfter = () => new Set() }: DrawPairsOptions<Point>,
): DrawnPairs<Point> {
  const firsts = points.filter(isFirst);
  const { at, after } = countPoints(points);
  /** Number of pairs up to each first point. */
  const ends: number[] = [];
  for (const first of firsts) {
    const lost = [...lostAfter(first)].filter((message) => message > first.message);
    const seconds = lost.reduce((left, message) => left - (at.get(message) ?? 0), after.get(first.message)!);
    ends.push((ends.at(-1) ?? 0) + seconds);
  }
  const of = ends.at(-1) ?? 0;
  const secondsOf = (first: Point) => {
    const lost = lostAfter(first);
    return points.filter(({ message }) => message > first.message && !lost.has(message));
  };
  const pairs = drawNumbers(Math.min(count, of), of, seed).map((number) => {
    const which = ends.findIndex((end) => number < end);
    const first = firsts[which]!;
    return [first, secondsOf(first)[number - (ends[which - 1] ?? 0)]!] as const;
  });
  pairs.sort(
    ([a, b], [c, d]) => a.message - c.message || b.message - d.message || (nameOf(a, b) < nameOf(c, d) ? -1 : 1),
  );
  return { pairs, of };
}

/** Counts the points at each message, and the points at all later messages. */
function countPoints(points: readonly Pick<GridPoint, 'message'>[]): Record<'at' | 'after', Map<number, number>> {
  const at = new Map<number, number>();
  for (const { message } of points) at.set(message, (at.get(message) ?? 0) + 1);
  const after = new Map<number, number>();
  let later = 0;
  for (const message of [...at.keys()].sort((one, other) => other - one)) {
    after.set(message, later);
    later += at.get(message)!;
  }
  return { at, after };
}

/** Returns what the two points of a pair have in common with one point: its name is `drop@3+cut@5`. */
export function pairedPoint(first: GridPoint, second: GridPoint): GridPoint {
  const { message, line } = first;
  return {
    name: nameOf(first, second),
    fault: `${first.fault}+${second.fault}`,
    message,
    line,
    title: `${first.title}, then ${second.title}`,
  };
}

function nameOf(first: Pick<GridPoint, 'name'>, second: Pick<GridPoint, 'name'>): string {
  return `${first.name}+${second.name}`;
}

/** Returns different numbers below `of`: the first ones of a shuffle (Fisher–Yates), of which only the moved ones are kept. */
function drawNumbers(count: number, of: number, seed: number): number[] {
  const random = seededRandom(seed);
  const moved = new Map<number, number>();
  return Array.from({ length: count }, (_, n) => {
    const drawn = n + Math.floor(random() * (of - n));
    const number = moved.get(drawn) ?? drawn;
    moved.set(drawn, moved.get(n) ?? n);
    return number;
  });
}
