import type { GridVerdicts } from './grid-text.ts';

/** Sweep point with either one fault or a pair of faults. */
export interface Pairable<Self> {
  name: string;
  /** The two points that happen in one run. Absent: this point has one fault. */
  pair?: { cases: readonly [Self, Self] };
}

/**
 * Verdict on a pair. `single`: one fault of the pair already fails alone, and that failure is the finding. The pair
 * itself is then neither good nor bad.
 */
export type PairVerdict<Verdict extends string> = Verdict | 'single';

/** Result of a pair, or of one fault of a pair alone. */
export interface PairResult<Point, Verdict extends string> {
  point: Point;
  verdict: PairVerdict<Verdict>;
  why?: string;
  /** Verdict that the first fault deserves alone, if this verdict is bad and the second fault did not happen. */
  first?: Verdict;
}

/** Returns the presentation of verdicts on pairs. A second fault that never happens is no failure: the first has ended the session. */
export function pairVerdicts<Verdict extends string>({
  letters,
  bad,
}: GridVerdicts<Verdict>): GridVerdicts<PairVerdict<Verdict>> {
  return {
    letters: { ...letters, single: 's' } as Record<PairVerdict<Verdict>, string>,
    bad: new Set<PairVerdict<Verdict>>([...bad].filter((verdict) => verdict !== 'unreached')),
    neutral: new Set<PairVerdict<Verdict>>(['single']),
  };
}

/**
 * Returns the members of bad pairs, each once: only runs with one fault tell whether it takes two. Of a pair whose program
 * failed before the second fault, it is the first member.
 */
export function membersOf<Point extends Pairable<Point>, Verdict extends string>(
  results: readonly PairResult<Point, Verdict>[],
  { bad }: Pick<GridVerdicts<PairVerdict<Verdict>>, 'bad'>,
): Point[] {
  const members = results.flatMap(({ point, verdict, first }) => {
    const [cause, ...others] = point.pair?.cases ?? [];
    if (cause === undefined) return [];
    if (bad.has(verdict)) return [cause, ...others];
    return first === undefined ? [] : [cause];
  });
  return [...new Map(members.map((one) => [one.name, one])).values()];
}

/** Judges pairs. A pair gets the verdict `single` if one of its faults alone explains the failure. */
export function judgePairs<
  Point extends Pairable<Point>,
  Verdict extends string,
  Result extends PairResult<Point, Verdict>,
>(
  results: readonly Result[],
  alone: readonly PairResult<Point, Verdict>[],
  { bad }: Pick<GridVerdicts<PairVerdict<Verdict>>, 'bad'>,
): Result[] {
  const verdictAlone = new Map(alone.map(({ point, verdict }) => [point.name, verdict]));
  const isBadAlone = ({ name }: Point) => bad.has(verdictAlone.get(name) ?? ('passed' as Verdict));
  return results.map((result) => {
    const member = result.point.pair?.cases.find(isBadAlone);
    if (member === undefined || !(bad.has(result.verdict) || result.first !== undefined)) return result;
    return { ...result, verdict: 'single', why: `${member.name} alone is ${verdictAlone.get(member.name)}` };
  });
}

/**
 * Returns the results of a sweep of pairs: first the bad results of single faults, then the results of pairs. Each pair
 * is judged together with its faults alone. `runAlone` runs points with one fault.
 */
export async function judgedPairs<
  Point extends Pairable<Point>,
  Verdict extends string,
  Result extends PairResult<Point, Verdict>,
>(
  results: readonly Result[],
  verdicts: Pick<GridVerdicts<PairVerdict<Verdict>>, 'bad'>,
  runAlone: (points: readonly Point[]) => Promise<Result[]>,
): Promise<Result[]> {
  const members = membersOf<Point, Verdict>(results, verdicts);
  const alone = members.length === 0 ? [] : await runAlone(members);
  return [
    ...alone.filter(({ verdict }) => verdicts.bad.has(verdict)),
    ...judgePairs<Point, Verdict, Result>(results, alone, verdicts),
  ];
}
