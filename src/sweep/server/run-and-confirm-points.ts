import { createLimiter, type Limits } from '../concurrency-limiter.ts';

export interface RunPointsOptions<Point, Result> {
  points: readonly Point[];
  /** Maximum number of concurrent runs. */
  room: Limits;
  /** Reports whether a result fails the sweep. */
  isBad(result: Result): boolean;
  /** Runs a point beside others. `rest` is called when the run mostly waits from now on. */
  attempt(point: Point, rest: () => void): Promise<Result>;
  /** Repeats a point with a bad verdict, while nothing else runs. */
  confirm(result: Result): Promise<Result>;
  /** Called with the result of each finished point. */
  done?: ((result: Result) => void) | undefined;
  /** Called with each point with a bad verdict, before it is repeated. */
  suspected?: ((result: Result) => void) | undefined;
}

/** Runs all points, and then repeats each one with a bad verdict. */
export async function runAndConfirmPoints<Point, Result>(options: RunPointsOptions<Point, Result>): Promise<Result[]> {
  const { points, room, isBad, attempt, confirm, done, suspected } = options;
  const enter = createLimiter(room);
  const found = await Promise.all(
    points.map(async (point) => {
      const place = await enter();
      const result = await attempt(point, place.rest);
      place.leave();
      if (isBad(result)) suspected?.(result);
      else done?.(result);
      return result;
    }),
  );
  const results: Result[] = [];
  for (const result of found) {
    const isSuspect = isBad(result);
    const confirmed = isSuspect ? await confirm(result) : result;
    if (isSuspect) done?.(confirmed);
    results.push(confirmed);
  }
  return results;
}
