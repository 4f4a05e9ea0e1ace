import type { Cassette } from '../../cassette/cassette.ts';
import { correlateMoves } from '../../cassette/correlate/correlate-entries.ts';
import { movesOf } from '../../cassette/correlate/session-entries.ts';
import { lint } from '../../lint/lint.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { JournalEntry } from './fault-log.ts';
import { faultPlaces } from './fault-positions.ts';
import type { Mark } from './report-data.ts';

/** What there is to know of the moves of a session beside themselves, by position: what they break, which faults struck. */
export function marksOf(cassette: Cassette, journal: readonly JournalEntry[] = []): Map<number, Mark[]> {
  const marks = new Map<number, Mark[]>();
  const add = (index: number | undefined, mark: Mark) => {
    if (index === undefined) return;
    const others = marks.get(index);
    if (others) others.push(mark);
    else marks.set(index, [mark]);
  };
  const moves = movesOf(cassette.events);
  const firsts = moves.filter(({ event }, index) => moves[index - 1]?.event !== event);
  const byLine = new Map(firsts.map(({ line, index }) => [line, index]));
  const places = journal.length === 0 ? [] : faultPlaces(journal, moves, correlateMoves(moves));
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
