import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { leavesOf } from '../../kernel/validate-fields.ts';
import { type Ignore, ignoredExpressions, parsePointer } from '../../match/ignore-rules.ts';
import { resultOf } from '../../protocol/message.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { sentTexts, textOf } from '../../replay/tokens/returned-values.ts';
import type { Exchange, ServerRun } from '../run/run-recorded-client.ts';
import { withOwnRules } from './entry-ignore-rules.ts';
import { leadsTo } from './inconsistent-server-ids.ts';

/**
 * Returns a note for each value that a rule leaves out of an answer, and that a later request sent as recorded, though
 * the live answer has another one. Such a value does not look like an id: it is too short, or a word.
 */
export function unfollowedNotes(run: ServerRun, ignore: readonly Ignore[]): string[] {
  const followed = new Set(run.returned.values.map(({ recorded }) => recorded));
  /** Lines of answers with left out values that differ, by value. */
  const changed = new Map<string, number>();
  const own = new Set<string>();
  const answers = new Map(run.exchanges.map((exchange) => [exchange.recorded?.index, exchange]));
  const notes: string[] = [];
  for (const entry of run.plan.entries) {
    const exchange = answers.get(entry.index);
    if (exchange !== undefined)
      for (const value of changedValues(exchange, ignore))
        if (!own.has(value) && !changed.has(value)) changed.set(value, entry.line);
    for (const value of sentAsRecorded(entry, run)) {
      const line = changed.get(value);
      if (line === undefined) own.add(value);
      else if (!followed.has(value))
        notes.push(
          `The value "${value}" of the answer at line ${line} was sent as recorded at line ${entry.line}, since it does not look like an id. If it is one, name its places in a test, with "handles".`,
        );
    }
  }
  return [...new Set(notes)];
}

function sentAsRecorded(entry: SessionEntry, { sentRequests }: ServerRun): string[] {
  const sent = sentRequests.get(entry.index);
  if (sent === undefined) return [];
  return sentTexts(entry).flatMap(({ text, path }) => (textOf(valueAt(sent.value, path)) === text ? [text] : []));
}

/** Returns the ignored values of a recorded answer that the live answer lacks. */
function changedValues({ request, recorded, live }: Exchange, ignore: readonly Ignore[]): string[] {
  if (recorded === undefined) return [];
  const rules = withOwnRules(ignore, request, recorded);
  const pointers = rules.flatMap((rule) => (typeof rule === 'string' ? [parsePointer(rule)] : []));
  const expressions = ignoredExpressions(rules);
  return [...leavesOf(resultOf(recorded.message), ['result'])].flatMap(({ value, path }) => {
    const [before, now] = [textOf(value), textOf(valueAt(live.value, path))];
    if (before === undefined || now === undefined || before === now) return [];
    const isWhole = pointers.some((pointer) => pointer.length === path.length && leadsTo(pointer, path));
    const parts = expressions.flatMap(({ fixed, matches }) =>
      matches(before).flatMap(({ start, end }) => [
        before.slice(start, end),
        before.slice(start + fixed.start, end - fixed.end),
      ]),
    );
    return [...(isWhole ? [before] : []), ...parts].filter((part) => part !== '' && !now.includes(part));
  });
}
