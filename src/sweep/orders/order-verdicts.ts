import { missesText } from '../client/new-misses.ts';
import type { Result } from '../client/sweep-client.ts';
import { CHANGED_NOTHING, CLIENT_VERDICTS, type Verdict } from '../client/verdict.ts';
import type { GridVerdicts } from '../grid-text.ts';
import { uncaughtErrorIdentity } from '../uncaught-error.ts';
import { confirmedOrders } from './confirmed-orders.ts';
import { unhurried } from './order-cases.ts';
import type { OrderedMessage } from './ordered-message.ts';

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
  const { isPartial, misses, status } = result;
  if ((verdict === 'passed' || isPartial) && misses) {
    const why = `${missesText(misses)}. ${MISS_WITHOUT_FAULT}`;
    return { ...result, verdict: 'failed', why };
  }
  // An order is no fault.
  if (verdict === 'unreached' && result.why)
    return { ...result, verdict, why: result.why.replace(CHANGED_NOTHING, '') };
  if (verdict !== 'reported') return { ...result, verdict };
  const sent = misses ? `, and ${missesText(misses)}` : '';
  const why = `it ended with ${status}${sent}. ${ERROR_WITHOUT_FAULT}`;
  return { ...result, verdict: 'failed', why };
}

/** Reason of `failed`, of a client that hides the failed request. */
export const MISS_WITHOUT_FAULT =
  'In the recorded order it does not send this request, and this order breaks no rule either';

/** Reason of `failed`. */
export const ERROR_WITHOUT_FAULT = 'With the recorded order it ends with 0, and this one breaks no rule either';

/**
 * Explains the failures of a client, each of which has come twice: on a busy machine, a client may lose a message that it
 * reads together with another one, or read two messages together and so miss their order. `again`: runs an order alone.
 */
export function confirmedFailures(
  results: readonly OrderResult[],
  messages: readonly OrderedMessage[],
  again: (point: OrderResult['point']) => Promise<OrderResult>,
): Promise<OrderResult[]> {
  return confirmedOrders<OrderVerdict, OrderResult>(results, {
    messages,
    verdicts: ORDER_VERDICTS,
    movedLines: ({ point: { params } }) => (params?.moved ?? []) as readonly number[],
    failureOf: ({ verdict, status, stderrTail }) =>
      `${verdict} ${status} ${verdict === 'crashed' ? uncaughtErrorIdentity(stderrTail) : ''}`,
    unhurried,
    again,
  });
}
