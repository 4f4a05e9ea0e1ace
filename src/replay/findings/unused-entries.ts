import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isRequest } from '../../protocol/message.ts';
import type { HttpCassette } from '../http/http-cassette.ts';
import type { RecordedRequest } from '../match/recorded-request.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { DependencyScheduler } from '../player/dependency-scheduler.ts';
import { isVainPoll } from '../player/empty-event-poll.ts';
import type { PlayedRun } from '../player/player-options.ts';
import { type Finding, unusedFinding } from './finding.ts';

const CANCEL = 'notifications/cancelled';

export interface UnusedOptions {
  plan: Pick<ReplayPlan, 'side' | 'entries' | 'links'>;
  recorded: readonly RecordedRequest[];
  scheduler: Pick<DependencyScheduler, 'hasCome'>;
  /** Whether the live client sent `server/discover`. Some clients start a separate process for this request. */
  isProbed: boolean;
  /** As {@link PlayerOptions.isHandled}. */
  isHandled?: ((recorded: JsonText) => boolean) | undefined;
}

/**
 * Returns the recorded requests and client notifications missing in the live session. Requests that depend on timers
 * are excluded: pings, polls without events, subscription renewals. So are those that the cassette calls optional, and
 * server notifications, which `verify` compares.
 */
export function unusedEntries({ plan, recorded, scheduler, isProbed, isHandled }: UnusedOptions): SessionEntry[] {
  const { side, entries, links } = plan;
  if (isProbed && recorded.every(({ uses }) => uses === 0)) return [];
  const requests = recorded
    .filter(({ entry, uses, method }) => uses === 0 && isRequest(entry.message) && method !== 'ping')
    .filter(({ entry }) => !entry.match?.optional)
    .filter((request) => !isVainPoll(request, entries[links.answerOf.get(request.entry.index) ?? -1]))
    .filter((request) => !isRenewal(request, recorded))
    .flatMap(({ entry }) => (isHandled?.(entry.json!) ? [] : [entry]));
  if (side === 'client') return requests;
  const never = new Set(requests.map(({ index }) => index));
  const notifications = entries.filter(({ index, from, message, match }) => {
    if (from === side || !isNotification(message) || scheduler.hasCome(index) || match?.optional) return false;
    const cancelled = links.cancelledRequestOf.get(index);
    // Servers ignore the cancellation of an unknown request (Cancellation, "Error Handling").
    if (cancelled === undefined && message.method === CANCEL) return false;
    if (cancelled === undefined) {
      const reported = links.progressRequestOf.get(index);
      return reported === undefined || scheduler.hasCome(reported);
    }
    // A recorded cancellation after the response had no effect, so the live client may omit it.
    const answer = links.answerOf.get(cancelled);
    return !never.has(cancelled) && (answer === undefined || answer > index);
  });
  return [...requests, ...notifications].sort((one, other) => one.index - other.index);
}

/** Reports whether a request renews an event subscription that the live client already opened. */
function isRenewal(request: RecordedRequest, recorded: readonly RecordedRequest[]): boolean {
  if (request.method !== 'events/subscribe') return false;
  const { key, secrets } = request.form;
  return recorded.some(({ uses, form }) => uses > 0 && form.key === key && form.secrets.join() === secrets.join());
}

/** Returns a finding for the cassette's entries that no run used. A run is one client's session. */
export function unusedByAll(
  { file, plan }: Pick<HttpCassette, 'file' | 'plan'>,
  runs: readonly PlayedRun[],
): Finding[] {
  const unused = runs.filter((run) => run.plan === plan).map((run) => new Set(run.unused));
  const entries = plan.entries.filter((entry) => unused.every((one) => one.has(entry)) && isExpected(entry));
  return entries.length === 0 ? [] : [unusedFinding(entries, file)];
}

function isExpected({ from, message, match }: SessionEntry): boolean {
  if (from !== 'client' || match?.optional) return false;
  return isNotification(message) || (isRequest(message) && message.method !== 'ping');
}
