import { createLimiter, type Limits } from '../concurrency-limiter.ts';

export interface RunPointsOptions<Point, Result> {
  points: readonly Point[];
  /** The points in the order in which they run. Absent: in their order. */
  inTurn?: readonly Point[] | undefined;
  /** Maximum number of concurrent runs. */
  room: Limits;
  /** Reports whether a result fails the sweep. */
  isBad(result: Result): boolean;
  /** Runs a point beside others. `rest` is called when the run mostly waits from now on. */
  attempt(point: Point, rest: () => void): Promise<Result>;
  /** Repeats a point with a bad verdict, while nothing else runs. */
  confirm(result: Result): Promise<Result>;
  /**
   * Repeats a point that was good beside another one that was bad only beside others, while nothing else runs. Absent: such
   * points are not repeated.
   */
  repeatNeighbour?: ((point: Point) => Promise<Result>) | undefined;
  /** Called with the result of each finished point. */
  done?: ((result: Result) => void) | undefined;
  /** Called with each point with a bad verdict, before it is repeated. */
  suspected?: ((result: Result) => void) | undefined;
}

/**
 * Runs all points, and then repeats each one with a bad verdict. If that is good, another point may have damaged something
 * for one run, and passed itself: those that ran at about the same time are repeated, too.
 */
export async function runAndConfirmPoints<Point, Result>(options: RunPointsOptions<Point, Result>): Promise<Result[]> {
  const { points, inTurn = points, room, isBad, attempt, confirm, repeatNeighbour, done, suspected } = options;
  const enter = createLimiter(room);
  const found = new Map<Point, Result>();
  await Promise.all(
    inTurn.map(async (point) => {
      const place = await enter();
      const result = await attempt(point, place.rest);
      place.leave();
      if (isBad(result)) suspected?.(result);
      else done?.(result);
      found.set(point, result);
    }),
  );
  const results = new Map(found);
  const near = new Set<Point>();
  for (const point of points) {
    const suspect = found.get(point)!;
    if (!isBad(suspect)) continue;
    const confirmed = await confirm(suspect);
    done?.(confirmed);
    results.set(point, confirmed);
    const at = inTurn.indexOf(point);
    if (!isBad(confirmed)) for (const one of inTurn.slice(Math.max(0, at - room.all), at + room.all)) near.add(one);
  }
  for (const point of near) {
    if (repeatNeighbour === undefined || isBad(found.get(point)!)) continue;
    const repeated = await repeatNeighbour(point);
    if (isBad(repeated)) results.set(point, repeated);
  }
  return points.map((point) => results.get(point)!);
}
