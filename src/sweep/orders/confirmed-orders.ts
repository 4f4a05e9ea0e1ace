import type { GridPoint, GridResult, GridVerdicts } from '../grid-text.ts';
import { areIndependent } from './concurrent-messages.ts';
import { swapTitle } from './order-cases.ts';
import type { OrderedMessage } from './ordered-message.ts';

/** Verdicts that every sweep of orders has. */
type CommonVerdict = 'passed' | 'hung' | 'same' | 'unsteady';

export interface ConfirmedOrdersOptions<Verdict extends string, Result extends GridResult<Verdict>> {
  /** Messages that have another order in some points. */
  messages: readonly OrderedMessage[];
  verdicts: GridVerdicts<Verdict>;
  /** Returns the lines of the messages whose order a point has changed, in this order. */
  movedLines(result: Result): readonly number[];
  /** Returns what two equal failures have in common, as text. */
  failureOf(result: Result): string;
  /** Reports whether a second run confirms a failure that is not equal. Absent: only an equal one does. */
  confirms?(first: Result, second: Result): boolean;
  /** Returns the point with more time between its messages. */
  unhurried(point: Result['point']): Result['point'];
  /** Runs a point alone. */
  again(point: Result['point']): Promise<Result>;
}

/**
 * Explains the failures, each of which has come twice. When an order runs again for that, its messages first have more
 * time between them, and then as much as before.
 */
export async function confirmedOrders<
  Verdict extends string,
  Result extends GridResult<Verdict | CommonVerdict> & { point: GridPoint },
>(results: readonly Result[], options: ConfirmedOrdersOptions<Verdict | CommonVerdict, Result>): Promise<Result[]> {
  const { verdicts, failureOf, confirms = () => false, unhurried, again } = options;
  const confirmed = new Set<string>();
  const all = new Map(results.map((result) => [result.point.name, result]));
  for (;;) {
    const shown = explainedFailures([...all.values()], options);
    const open = shown.find(
      ({ verdict, point }) => verdicts.bad.has(verdict) && verdict !== 'same' && !confirmed.has(point.name),
    );
    const first = open && all.get(open.point.name);
    if (first === undefined) return shown;
    const isSame = (other: Result) => failureOf(other) === failureOf(first) || confirms(first, other);
    const second = await again(unhurried(first.point));
    if (isSame(second) || isSame(await again(first.point))) confirmed.add(first.point.name);
    else {
      const why = `it ${first.verdict} once, and ${second.verdict} when it ran again alone`;
      all.set(first.point.name, { ...first, verdict: 'unsteady', why });
    }
  }
}

/**
 * Explains the failures: each names a swap that no passed order has, if there is one. An order with all such swaps of a
 * smaller failing order finds nothing new, if it fails in the same way. `results`: from the smallest difference to the
 * largest.
 */
function explainedFailures<
  Verdict extends string,
  Result extends GridResult<Verdict | CommonVerdict> & { point: GridPoint },
>(
  results: readonly Result[],
  { messages, verdicts, movedLines, failureOf }: ConfirmedOrdersOptions<Verdict | CommonVerdict, Result>,
): Result[] {
  const known = new Map(messages.map((one) => [one.line, one]));
  const swapsIn = (result: Result) => swapsOf(movedLines(result), known);
  const harmless = new Set(results.flatMap((result) => (result.verdict === 'passed' ? swapsIn(result) : [])));
  const failures: { name: string; swaps: readonly string[]; how: string }[] = [];
  return results.map((result) => {
    const { verdict, point } = result;
    if (!verdicts.bad.has(verdict)) return result;
    const all = swapsIn(result);
    const suspects = all.filter((swap) => !harmless.has(swap));
    const swaps = suspects.length > 0 ? suspects : all;
    const how = failureOf(result);
    const first = failures.find((one) => one.how === how && one.swaps.every((swap) => swaps.includes(swap)));
    if (first)
      return { ...result, verdict: 'same', why: `it ${verdict === 'hung' ? 'hangs' : 'fails'} as with ${first.name}` };
    failures.push({ name: point.name, swaps, how });
    const [early, passed] = (suspects[0] ?? '').split(' ').map((line) => known.get(Number(line)));
    if (early === undefined || passed === undefined) return result;
    return { ...result, point: { ...point, line: early.line, title: swapTitle(early, passed) } };
  });
}

/**
 * Returns the swapped pairs of lines in an order, from the first message that comes too early. Pairs without an order for
 * their receiver are left out.
 */
function swapsOf(lines: readonly number[], known: ReadonlyMap<number, OrderedMessage>): string[] {
  const moved = lines.flatMap((line) => known.get(line) ?? []);
  return moved.flatMap((early, at) => {
    const passed = moved.slice(at + 1).filter((one) => one.message < early.message && !areIndependent(one, early));
    return passed.map(({ line }) => `${early.line} ${line}`);
  });
}
