import type { Move } from '../../cassette/correlate/session-entries.ts';
import { isNotification, isRequest } from '../../protocol/message.ts';
import type { Entry } from '../match/recorded-request.ts';
import type { Score } from '../plan/server-plan.ts';
import type { Stage } from '../player/scheduler.ts';

const CANCEL = 'notifications/cancelled';

export interface UnusedOptions {
  score: Pick<Score, 'side' | 'moves' | 'links'>;
  entries: readonly Entry[];
  stage: Pick<Stage, 'hasCome'>;
  /** The live side asked what the played one can do: a client may start a process for that alone. */
  isProbed: boolean;
}

/**
 * Returns what the live side never said of what the cassette has: its requests, but for pings, and of a client its
 * notifications too. The notifications of a server are compared by whoever plays its client.
 */
export function unusedMoves({ score, entries, stage, isProbed }: UnusedOptions): Move[] {
  const { side, moves, links } = score;
  if (isProbed && entries.every(({ uses }) => uses === 0)) return [];
  const requests = entries.flatMap(({ move, uses, method }) =>
    uses === 0 && isRequest(move.message) && method !== 'ping' ? [move] : [],
  );
  if (side === 'client') return requests;
  const never = new Set(requests.map(({ index }) => index));
  const notifications = moves.filter(({ index, from, message }) => {
    if (from === side || !isNotification(message) || stage.hasCome(index)) return false;
    const cancelled = links.cancelledBy.get(index);
    // A cancel of nothing means nothing to a server (cancellation, "Error Handling").
    if (cancelled === undefined && message.method === CANCEL) return false;
    if (cancelled === undefined) {
      const reported = links.progressOf.get(index);
      return reported === undefined || stage.hasCome(reported);
    }
    // A cancel that followed the answer lost a race, which a replay need not lose again.
    const answer = links.answerOf.get(cancelled);
    return !never.has(cancelled) && (answer === undefined || answer > index);
  });
  return [...requests, ...notifications].sort((one, other) => one.index - other.index);
}
