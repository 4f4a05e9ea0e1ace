import type { TapeEvent } from '../cassette/cassette.ts';
import { correlateMoves } from '../cassette/correlate/correlate-entries.ts';
import { type Move, movesOf } from '../cassette/correlate/session-entries.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { isObject, isRequest, paramsOf } from '../protocol/message.ts';
import type { Fate } from './scenario.ts';

/** A request, and what became of it. */
export interface Call {
  method: string;
  /** Of the tool, prompt or resource. */
  name: string | undefined;
  fate: Fate;
  /** From the request to its answer or cancel; absent where neither came. */
  took?: Milliseconds;
  /** The error that it failed with. */
  error?: { code: unknown; message: unknown };
}

/** The requests of a tape, of either side, in their order. */
export function callsOf(events: readonly TapeEvent[]): Call[] {
  const moves = movesOf(events);
  const { answerOf, cancelOf } = correlateMoves(moves);
  return moves.flatMap((move): Call[] => {
    if (!isRequest(move.message)) return [];
    const { method } = move.message;
    const params = paramsOf(move.message);
    const name = params.name ?? params.uri;
    const answer = answerOf.get(move.index);
    const cancel = cancelOf.get(move.index);
    const end = Math.min(answer ?? Number.POSITIVE_INFINITY, cancel ?? Number.POSITIVE_INFINITY);
    const call = { method, name: typeof name === 'string' ? name : undefined };
    if (!Number.isFinite(end)) return [{ ...call, fate: 'unanswered' }];
    const last = moves[end]!;
    const took = last.at - move.at;
    return [end === cancel ? { ...call, fate: 'cancelled', took } : { ...call, ...answered(last), took }];
  });
}

function answered({ message }: Move): Pick<Call, 'fate' | 'error'> {
  const { error, result } = (message ?? {}) as { error?: unknown; result?: unknown };
  if (isObject(error)) return { fate: 'fails', error: { code: error.code, message: error.message } };
  // A tool that could not do it answers with a result that says so.
  return { fate: isObject(result) && result.isError === true ? 'fails' : 'succeeds' };
}
