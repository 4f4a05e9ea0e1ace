import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Ignore, Pointer } from '../../match/ignore-rules.ts';
import { pointerOf } from '../../protocol/json-pointer.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { sentTexts, textOf } from '../../replay/tokens/returned-values.ts';
import { leftOutValues } from '../../replay/tokens/short-left-out-values.ts';
import type { Exchange, ServerRun } from '../run/run-recorded-client.ts';
import { withOwnRules } from './gather-answers.ts';

/**
 * Returns a note for each value that a rule leaves out of an answer, and that a later request sent as recorded, though
 * the live answer has another one. Such a value does not look like an id: it is too short, or a word.
 */
export function unfollowedNotes(run: ServerRun, ignore: readonly Ignore[]): string[] {
  const followed = new Set(run.returned.values.map(({ recorded }) => recorded));
  /** Answers with left out values that differ, and their places there, by value. */
  const changed = new Map<string, ChangedValue & { line: number }>();
  const own = new Set<string>();
  const answers = new Map(run.exchanges.map((exchange) => [exchange.recorded?.index, exchange]));
  const notes: string[] = [];
  for (const entry of run.plan.entries) {
    const exchange = answers.get(entry.index);
    if (exchange !== undefined)
      for (const one of changedValues(exchange, ignore))
        if (!own.has(one.value) && !changed.has(one.value)) changed.set(one.value, { ...one, line: entry.line });
    for (const { text, path } of sentAsRecorded(entry, run)) {
      const source = changed.get(text);
      if (source === undefined) own.add(text);
      else if (!followed.has(text)) notes.push(noteOf(source, { line: entry.line, use: pointerOf(path) }));
    }
  }
  return [...new Set(notes)];
}

function noteOf({ value, line, capture }: ChangedValue & { line: number }, to: { line: number; use: Pointer }): string {
  const sent = `The value "${value}" of the answer at line ${line} was sent as recorded at line ${to.line}, since it does not look like an id.`;
  const handles =
    capture === undefined
      ? 'name its places in a test, with "handles".'
      : `name its places in a test: handles: [{ capture: '${capture}', use: '${to.use}' }]`;
  return `${sent} If it is one, ${handles}`;
}

function sentAsRecorded(entry: SessionEntry, { sentRequests }: ServerRun): { text: string; path: JsonPath }[] {
  const sent = sentRequests.get(entry.index);
  if (sent === undefined) return [];
  return sentTexts(entry).filter(({ text, path }) => textOf(valueAt(sent.value, path)) === text);
}

/** A recorded value that rules leave out. */
interface ChangedValue {
  value: string;
  /** Its place in the answer. Absent: it is a part of a text there. */
  capture?: Pointer;
}

/** Returns the recorded values that rules leave out of an answer, and that the live answer does not have. */
function changedValues({ request, recorded, live }: Exchange, ignore: readonly Ignore[]): ChangedValue[] {
  if (recorded === undefined) return [];
  return leftOutValues(recorded, withOwnRules(ignore, request, recorded)).flatMap(({ text, path, span }) => {
    const [value, now] = [text.slice(span.start, span.end), textOf(valueAt(live.value, path))];
    if (now === undefined || now === text || value === '' || now.includes(value)) return [];
    return [{ value, ...(value === text && { capture: pointerOf(path) }) }];
  });
}
