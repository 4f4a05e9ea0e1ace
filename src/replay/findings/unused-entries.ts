import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { isNotification, isRequest } from '../../protocol/message.ts';
import type { HttpCassette } from '../http/http-cassette.ts';
import type { RecordedRequest } from '../match/recorded-request.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { PlayedRun } from '../player/player-options.ts';
import type { Scheduler } from '../player/scheduler.ts';
import { type Finding, unusedFinding } from './finding.ts';

const CANCEL = 'notifications/cancelled';

export interface UnusedOptions {
  plan: Pick<ReplayPlan, 'side' | 'entries' | 'links'>;
  recorded: readonly RecordedRequest[];
  scheduler: Pick<Scheduler, 'hasCome'>;
  /** The live side asked what the played one can do: a client may start a process for that alone. */
  isProbed: boolean;
}

/**
 * Returns what the live side never said of what the cassette has: its requests, but for pings, and of a client its
 * notifications too. The notifications of a server are compared by whoever plays its client.
 */
export function unusedEntries({ plan, recorded, scheduler, isProbed }: UnusedOptions): SessionEntry[] {
  const { side, entries, links } = plan;
  if (isProbed && recorded.every(({ uses }) => uses === 0)) return [];
  const requests = recorded.flatMap(({ entry, uses, method }) =>
    uses === 0 && isRequest(entry.message) && method !== 'ping' ? [entry] : [],
  );
  if (side === 'client') return requests;
  const never = new Set(requests.map(({ index }) => index));
  const notifications = entries.filter(({ index, from, message }) => {
    if (from === side || !isNotification(message) || scheduler.hasCome(index)) return false;
    const cancelled = links.cancelledBy.get(index);
    // A cancel of nothing means nothing to a server (cancellation, "Error Handling").
    if (cancelled === undefined && message.method === CANCEL) return false;
    if (cancelled === undefined) {
      const reported = links.progressOf.get(index);
      return reported === undefined || scheduler.hasCome(reported);
    }
    // A cancel that followed the answer lost a race, which a replay need not lose again.
    const answer = links.answerOf.get(cancelled);
    return !never.has(cancelled) && (answer === undefined || answer > index);
  });
  return [...requests, ...notifications].sort((one, other) => one.index - other.index);
}

/** Returns what no client of a cassette used, of which each was a run: of all together, since each uses what it needs. */
export function unusedByAll(
  { file, plan }: Pick<HttpCassette, 'file' | 'plan'>,
  runs: readonly PlayedRun[],
): Finding[] {
  const unused = runs.filter((run) => run.file === file).map((run) => new Set(run.unused));
  const entries = plan.entries.filter((entry) => unused.every((one) => one.has(entry)) && isExpected(entry));
  return entries.length === 0 ? [] : [unusedFinding(entries, file)];
}

function isExpected({ from, message }: SessionEntry): boolean {
  if (from !== 'client') return false;
  return isNotification(message) || (isRequest(message) && message.method !== 'ping');
}
