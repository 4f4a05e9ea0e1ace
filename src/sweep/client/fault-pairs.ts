import { seededRandom } from '../../kernel/random.ts';
import type { GridVerdicts } from '../grid-text.ts';
import type { FaultCase } from './fault-cases.ts';
import type { Result } from './sweep-client.ts';
import { BAD, CLIENT_VERDICTS, type Verdict } from './verdict.ts';

/** Faults after which a session has no further message. */
const ENDING: ReadonlySet<string> = new Set(['end', 'cut', 'exit', 'half-close', 'reset']);

export interface FaultPairs {
  /** The drawn pairs, in the order of the cassette. */
  pairs: FaultCase[];
  /** Number of all pairs. */
  of: number;
}

/**
 * Draws pairs of cases: the second one at a later message, and the first with a fault that does not end the session.
 * Equal seeds draw equal pairs.
 */
export function drawPairs(points: readonly FaultCase[], { count, seed }: { count: number; seed: number }): FaultPairs {
  const all = points
    .filter(({ fault }) => !ENDING.has(fault))
    .flatMap((first) =>
      points.filter(({ message }) => message > first.message).map((second) => [first, second] as const),
    );
  const random = seededRandom(seed);
  for (let n = 0; n < Math.min(count, all.length); n++) {
    const drawn = n + Math.floor(random() * (all.length - n));
    [all[n], all[drawn]] = [all[drawn]!, all[n]!];
  }
  const pairs = all.slice(0, count).map(([first, second]) => pairOf(first, second, points));
  const place = ({ pair }: FaultCase) => pair!.cases.map(({ message }) => message);
  pairs.sort((a, b) => place(a)[0]! - place(b)[0]! || place(a)[1]! - place(b)[1]! || (a.name < b.name ? -1 : 1));
  return { pairs, of: all.length };
}

/** Returns the case in which two faults happen in one run: `drop@3+cut@5`. `points`: all cases of the sweep. */
export function pairOf(first: FaultCase, second: FaultCase, points: readonly FaultCase[]): FaultCase {
  const { message, line } = first;
  const losable = points.flatMap((point) => point.loses ?? []);
  return {
    name: `${first.name}+${second.name}`,
    fault: `${first.fault}+${second.fault}`,
    message,
    line,
    title: `${first.title}, then ${second.title}`,
    pair: {
      cases: [first, second],
      losable: [...new Map(losable.map((one) => [JSON.stringify(one), one])).values()],
    },
  };
}

/** Verdict on a pair. `single`: one of its faults alone is bad, too, which is the finding. The pair is neither good nor bad. */
export type PairVerdict = Verdict | 'single';

/** Presentation of the verdicts on pairs. A second fault that never happens is no failure: the first has ended the session. */
export const PAIR_VERDICTS: GridVerdicts<PairVerdict> = {
  letters: { ...CLIENT_VERDICTS.letters, single: 's' },
  bad: new Set<PairVerdict>([...BAD].filter((verdict) => verdict !== 'unreached')),
  neutral: new Set<PairVerdict>(['single']),
};

/** A result of a pair before its faults have happened alone. */
type UnjudgedPair = Pick<JudgedPair, 'point' | 'verdict' | 'first'>;

/**
 * Returns the members of bad pairs, each once: only runs with one fault tell whether it takes two. Of a pair whose client
 * ended badly before the second fault, it is the first member.
 */
export function membersOf(results: readonly UnjudgedPair[]): FaultCase[] {
  const members = results.flatMap(({ point, verdict, first }) => {
    const [cause, ...others] = point.pair?.cases ?? [];
    if (cause === undefined) return [];
    if (PAIR_VERDICTS.bad.has(verdict)) return [cause, ...others];
    return first === undefined ? [] : [cause];
  });
  return [...new Map(members.map((one) => [one.name, one])).values()];
}

/** Returns the results of pairs, of which those are `single` that one of their members explains. */
export function judgePairs<Pair extends UnjudgedPair & { why?: string }>(
  results: readonly Pair[],
  alone: readonly { point: FaultCase; verdict: PairVerdict }[],
): Pair[] {
  const badAlone = new Map(alone.filter(isBad).map(({ point, verdict }) => [point.name, verdict]));
  return results.map((result) => {
    const member = result.point.pair?.cases.find(({ name }) => badAlone.has(name));
    if (member === undefined || !(isBad(result) || result.first !== undefined)) return result;
    return { ...result, verdict: 'single', why: `${member.name} alone is ${badAlone.get(member.name)}` };
  });
}

function isBad({ verdict }: { verdict: PairVerdict }): boolean {
  return PAIR_VERDICTS.bad.has(verdict);
}

/** Result of a pair, or of a fault of a pair alone. */
export type JudgedPair = Omit<Result, 'verdict'> & { verdict: PairVerdict };

/**
 * Returns the results of pairs, judged beside their faults alone, after those of the faults that are bad alone.
 * `runAlone` runs cases with one fault.
 */
export async function judgedPairs(
  results: readonly Result[],
  runAlone: (cases: readonly FaultCase[]) => Promise<Result[]>,
): Promise<JudgedPair[]> {
  const members = membersOf(results);
  const alone: readonly JudgedPair[] = members.length === 0 ? [] : await runAlone(members);
  return [...alone.filter(isBad), ...judgePairs<JudgedPair>(results, alone)];
}
