import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { isRequest } from '../../protocol/message.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import type { PlayedRun } from '../../replay/player/player-options.ts';

/** Counts which recorded requests live clients have made. Pings depend on timers, and do not count. */
export class UsedRequestsCount {
  /** Plan of each cassette → its recorded requests that no client has made. */
  readonly #never: Map<ReplayPlan, readonly SessionEntry[]>;

  constructor(plans: readonly ReplayPlan[]) {
    this.#never = new Map(plans.map((plan) => [plan, requestsOf(plan.entries)]));
  }

  /** Adds what one client has played of a cassette. */
  add({ plan, unused }: Pick<PlayedRun, 'plan' | 'unused'>): void {
    const left = new Set(unused);
    const never = this.#never.get(plan) ?? requestsOf(plan.entries);
    this.#never.set(
      plan,
      never.filter((entry) => left.has(entry)),
    );
  }

  /** Returns a sentence: `5 of 7 recorded requests came`. */
  text(): string {
    let [recorded, never] = [0, 0];
    for (const [plan, unused] of this.#never) {
      recorded += requestsOf(plan.entries).length;
      never += unused.length;
    }
    const came = `${formatCount(recorded, 'recorded request')} came`;
    return never === 0 && recorded > 1 ? `all ${came}` : `${recorded - never} of ${came}`;
  }
}

function requestsOf(entries: readonly SessionEntry[]): SessionEntry[] {
  return entries.filter(({ from, message }) => from === 'client' && isRequest(message) && message.method !== 'ping');
}
