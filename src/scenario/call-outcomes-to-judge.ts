import type { CassetteEvent } from '../cassette/cassette.ts';
import { correlateOutcomes } from '../cassette/correlate/correlate-outcomes.ts';
import { refusalText, refusedRequests, statusOf } from '../cassette/correlate/refused-requests.ts';
import { eventsToEntries, type SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { isObject, isRequest, paramsOf } from '../protocol/message.ts';
import type { Fate } from './scenario.ts';

/** A request with its outcome. */
export interface CallOutcome {
  method: string;
  /** Name of the tool or prompt, or URI of the resource. */
  name: string | undefined;
  fate: Fate;
  /** Time from the request to its answer or cancellation. Absent without either. */
  took?: Milliseconds;
  /** Error of a failed request. */
  error?: { code: unknown; message: unknown };
  /** Result or error of an answered request, with its line. */
  answer?: { line: number; value: unknown };
}

/** Returns the requests of a cassette with their outcomes, of both sides, in order. */
export function callOutcomesOf(events: readonly CassetteEvent[]): CallOutcome[] {
  const entries = eventsToEntries(events);
  const links = correlateOutcomes(entries);
  const { answerOf, cancelOf } = links;
  const refusals = refusedRequests(entries, links);
  return entries.flatMap((entry): CallOutcome[] => {
    if (!isRequest(entry.message)) return [];
    const { method } = entry.message;
    const params = paramsOf(entry.message);
    const name = params.name ?? params.uri;
    const answer = answerOf.get(entry.index);
    const cancel = cancelOf.get(entry.index);
    const end = Math.min(answer ?? Number.POSITIVE_INFINITY, cancel ?? Number.POSITIVE_INFINITY);
    const call = { method, name: typeof name === 'string' ? name : undefined };
    const refusal = entries[refusals.get(entry.index) ?? -1];
    if (refusal) return [{ ...call, ...refused(refusal), took: refusal.at - entry.at }];
    if (!Number.isFinite(end)) return [{ ...call, fate: 'unanswered' }];
    const last = entries[end]!;
    const took = last.at - entry.at;
    return [end === cancel ? { ...call, fate: 'cancelled', took } : { ...call, ...answered(last), took }];
  });
}

/** Returns the outcome of an HTTP status of 400 or more in place of an answer. Clients fail the call with it. */
function refused(refusal: SessionEntry): Pick<CallOutcome, 'fate' | 'error' | 'answer'> {
  const error = { code: statusOf(refusal), message: refusalText(refusal) };
  return { fate: 'fails', error, answer: { line: refusal.line, value: error } };
}

function answered({ message, line }: SessionEntry): Pick<CallOutcome, 'fate' | 'error' | 'answer'> {
  const { error, result } = (message ?? {}) as { error?: unknown; result?: unknown };
  const answer = { line, value: error ?? result };
  if (isObject(error)) return { fate: 'fails', error: { code: error.code, message: error.message }, answer };
  // A tool reports its failure in a result with `isError`.
  return { fate: isObject(result) && result.isError === true ? 'fails' : 'succeeds', answer };
}
