import type { Result } from '../client/sweep-client.ts';
import { CHANGED_NOTHING, CLIENT_VERDICTS, type Verdict } from '../client/verdict.ts';
import type { GridVerdicts } from '../grid-text.ts';
import { uncaughtErrorIdentity } from '../uncaught-error.ts';
import { areIndependent } from './concurrent-messages.ts';
import { swapTitle, unhurried } from './order-cases.ts';
import type { OrderedMessage } from './server-message-order.ts';

/**
 * Verdict on an order of messages. `failed`: the client ended with an error, although its server did nothing wrong.
 * `same`: it failed as with an order of which this one has all swaps. `unsteady`: it failed once, and not in the same way
 * when the order ran again alone.
 */
export type OrderVerdict = Exclude<Verdict, 'reported'> | 'failed' | 'same' | 'unsteady';

/** Result of an order. */
export type OrderResult = Omit<Result, 'verdict'> & { verdict: OrderVerdict };

const { passed, hung, crashed, leaked, lied, unreached } = CLIENT_VERDICTS.letters;

/** Presentation of the verdicts on orders. An order that the client does not let come about is no failure of it. */
export const ORDER_VERDICTS: GridVerdicts<OrderVerdict> = {
  letters: { passed, failed: 'F', hung, crashed, leaked, lied, same: 's', unsteady: '~', unreached },
  bad: new Set<OrderVerdict>(['hung', 'crashed', 'leaked', 'lied', 'failed', 'same']),
  neutral: new Set<OrderVerdict>(['unreached', 'unsteady']),
  listed: new Set<OrderVerdict>(['same', 'unreached', 'unsteady']),
};

/** Judges a run in which the messages came in another order. An error is then none that the server has caused. */
export function orderResult({ verdict, ...result }: Result): OrderResult {
  // An order is no fault.
  if (verdict === 'unreached' && result.why)
    return { ...result, verdict, why: result.why.replace(CHANGED_NOTHING, '') };
  if (verdict !== 'reported') return { ...result, verdict };
  const why = `it ended with ${result.status}. ${ERROR_WITHOUT_FAULT}`;
  return { ...result, verdict: 'failed', why };
}

/** Reason of `failed`. */
export const ERROR_WITHOUT_FAULT = 'With the recorded order it ends with 0, and this one breaks no rule either';

/**
 * Explains the failures: each names a swap that no passed order has, if there is one. An order with all such swaps of a
 * smaller failing order finds nothing new, if it fails in the same way. `results`: from the smallest difference to the
 * largest.
 */
function explainedFailures(results: readonly OrderResult[], messages: readonly OrderedMessage[]): OrderResult[] {
  const known = new Map(messages.map((one) => [one.line, one]));
  const harmless = new Set(results.flatMap((result) => (result.verdict === 'passed' ? swapsOf(result, known) : [])));
  const failures: { name: string; swaps: readonly string[]; how: string }[] = [];
  return results.map((result) => {
    const { verdict, point } = result;
    if (!ORDER_VERDICTS.bad.has(verdict)) return result;
    const all = swapsOf(result, known);
    const suspects = all.filter((swap) => !harmless.has(swap));
    const swaps = suspects.length > 0 ? suspects : all;
    const how = failureOf(result);
    const first = failures.find((one) => one.how === how && one.swaps.every((swap) => swaps.includes(swap)));
    if (first)
      return { ...result, verdict: 'same', why: `it ${verdict === 'hung' ? 'hangs' : 'fails'} as with ${first.name}` };
    failures.push({ name: point.name, swaps, how });
    const [early, passed] = (suspects[0] ?? '').split(' ').map((line) => known.get(Number(line)));
    if (early === undefined || passed === undefined) return result;
    return { ...result, point: { ...point, line: early.line, title: swapTitle(early.title, passed) } };
  });
}

/**
 * Explains the failures, each of which has come twice: on a busy machine, a client may lose a message that it reads
 * together with another one, or read two messages together and so miss their order. `again`: runs an order alone. The
 * first time its messages have more time between them, the second time as much as before.
 */
export async function confirmedFailures(
  results: readonly OrderResult[],
  messages: readonly OrderedMessage[],
  again: (point: OrderResult['point']) => Promise<OrderResult>,
): Promise<OrderResult[]> {
  const confirmed = new Set<string>();
  const all = new Map(results.map((result) => [result.point.name, result]));
  for (;;) {
    const shown = explainedFailures([...all.values()], messages);
    const open = shown.find(
      ({ verdict, point }) => ORDER_VERDICTS.bad.has(verdict) && verdict !== 'same' && !confirmed.has(point.name),
    );
    const first = open && all.get(open.point.name);
    if (first === undefined) return shown;
    const isSame = (other: OrderResult) => failureOf(other) === failureOf(first);
    const second = await again(unhurried(first.point));
    if (isSame(second) || isSame(await again(first.point))) confirmed.add(first.point.name);
    else {
      const why = `it ${first.verdict} once, and ${second.verdict} when it ran again alone`;
      all.set(first.point.name, { ...first, verdict: 'unsteady', why });
    }
  }
}

/**
 * Returns the swapped pairs of lines in the order of a result, from the first message that comes too early. Pairs without
 * an order for the client are left out.
 */
function swapsOf({ point: { params } }: OrderResult, known: ReadonlyMap<number, OrderedMessage>): string[] {
  const moved = ((params?.moved ?? []) as readonly number[]).flatMap((line) => known.get(line) ?? []);
  return moved.flatMap((early, at) => {
    const passed = moved.slice(at + 1).filter((one) => one.message < early.message && !areIndependent(one, early));
    return passed.map(({ line }) => `${early.line} ${line}`);
  });
}

function failureOf({ verdict, status, stderrTail }: OrderResult): string {
  return `${verdict} ${status} ${verdict === 'crashed' ? uncaughtErrorIdentity(stderrTail) : ''}`;
}
