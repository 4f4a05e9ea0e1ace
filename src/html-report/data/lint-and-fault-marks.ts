import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { lint } from '../../lint/lint.ts';
import { printable } from '../../text-report/printable-text.ts';
import { faultPositions } from './faults/fault-positions.ts';
import type { FaultLogEntry } from './faults/read-fault-log.ts';
import type { Mark } from './report-data-types.ts';

/** Returns marks by entry position: lint findings, and the faults of a fault journal. */
export function marksOf(cassette: Cassette, journal: readonly FaultLogEntry[] = []): Map<number, Mark[]> {
  const marks = new ListMap<number, Mark>();
  const add = (index: number | undefined, mark: Mark) => {
    if (index !== undefined) marks.add(index, mark);
  };
  const entries = eventsToEntries(cassette.events);
  const firsts = entries.filter(({ event }, index) => entries[index - 1]?.event !== event);
  const byLine = new Map(firsts.map(({ line, index }) => [line, index]));
  const places = journal.length === 0 ? [] : faultPositions(journal, entries, correlateEntries(entries));
  for (const [{ fault, from, message, rule }, index] of places) {
    const of = rule === undefined ? 'A fault' : `Rule ${rule}`;
    const text = `${of} struck message ${message} of the ${from}, which arrived so, or not at all.`;
    add(index, { kind: 'fault', title: printable(fault), text });
  }
  for (const { line, rule, severity, who, why, sentence, source } of lint(cassette)) {
    const kind = severity === 'error' ? 'lint-error' : 'lint-warning';
    add(byLine.get(line), { kind, title: rule, text: printable(`${who}: ${why}. ${sentence}`), source });
  }
  return marks;
}
