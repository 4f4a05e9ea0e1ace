import type { Cassette } from '../cassette/cassette.ts';
import { correlateEntries } from '../cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../cassette/split-batches-into-entries.ts';
import { canonicalJson } from '../match/canonical-json.ts';
import { isRequest } from '../protocol/message.ts';
import { subjectOf } from '../protocol/method-table.ts';
import { printable } from '../text-report/printable-text.ts';

type Events = Pick<Cassette, 'events'>;

/**
 * Returns notes on mixed-up answers that a load of these cassettes cannot find, because the answer of another client
 * equals the recorded one: all sessions send the same values, or a tool has the same answer everywhere.
 */
export function undetectedMixUps(cassettes: readonly Events[]): string[] {
  if (new Set(cassettes.flatMap(sessionsOf)).size <= 1)
    return [
      'All sessions send the same values, so a server that gives one client the answer of another is not found. Add a cassette with other values.',
    ];
  const tools = toolsWithOneAnswer(cassettes);
  if (tools.length === 0) return [];
  const more = tools.length > NAMED_MAX ? ` and ${tools.length - NAMED_MAX} more` : '';
  const named = tools.slice(0, NAMED_MAX).map(printable).join(', ') + more;
  return [
    `All recorded answers of ${named} are the same, so a server that gives one client the answer of another is not found there. Add a cassette in which they differ.`,
  ];
}

/** Maximum number of tools that a note names. */
const NAMED_MAX = 5;

/** Returns the requests of each session, as text. Each `initialize` starts a session. */
function sessionsOf({ events }: Events): string[] {
  const sessions: string[] = [];
  for (const { from, message } of eventsToEntries(events)) {
    if (from !== 'client' || !isRequest(message)) continue;
    const { method, params = {} } = message;
    if (sessions.length === 0 || method === 'initialize') sessions.push('');
    if (method !== 'initialize') sessions[sessions.length - 1] += `${JSON.stringify([method, params])}\n`;
  }
  return sessions;
}

/** Returns the tools whose calls all have the same recorded answer, such as `tools/call "price"`. */
function toolsWithOneAnswer(cassettes: readonly Events[]): string[] {
  const answers = new Map<string, Set<string>>();
  for (const { events } of cassettes) {
    const entries = eventsToEntries(events);
    const { answerOf } = correlateEntries(entries);
    for (const { index, from, message } of entries) {
      if (from !== 'client' || !isRequest(message) || message.method !== 'tools/call') continue;
      const answer = entries[answerOf.get(index) ?? -1]?.message;
      const title = subjectOf(message.method, message.params);
      answers.set(title, (answers.get(title) ?? new Set()).add(canonicalJson({ ...answer, id: 0 })));
    }
  }
  return [...answers].flatMap(([title, all]) => (all.size === 1 ? [title] : []));
}
