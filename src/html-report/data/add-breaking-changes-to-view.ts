import { ListMap } from '../../cassette/correlate/list-map.ts';
import { worstOf } from '../../contract/contract-changes.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { type Change as CallerChange, SEVERITIES } from '../../match/contract-change-types.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { Item, View } from './report-data-types.ts';

/** Changes for callers in the answer to one request. */
export interface BreakingChanges {
  /** Method of the request, sometimes followed by a name: `tools/list`. */
  title: string;
  /** Line of the request in the second session. */
  b?: number;
  changes: readonly CallerChange[];
}

/**
 * Adds changes for callers to the responses of a comparison, the worst first, and their numbers to its facts: changes
 * by severity, and answers, because one answer may have several changes.
 */
export function withBreakingChanges(view: View, found: readonly BreakingChanges[]): View {
  const answerTo = answersIn(view);
  const changesOf = new Map(
    found.flatMap(({ title, b, changes }): [Item, CallerChange[]][] => {
      const answer = changes.length === 0 ? undefined : answerTo(title, b);
      return answer === undefined ? [] : [[answer, changes.map(shown)]];
    }),
  );
  if (changesOf.size === 0) return view;
  const all = [...changesOf.values()].flat();
  const counts = SEVERITIES.map((severity) => ({
    severity,
    count: all.filter((change) => change.severity === severity).length,
  })).filter(({ count }) => count > 0);
  const numbers = counts.map(({ severity, count }) => `${count} ${severity}`).join(', ');
  return {
    ...view,
    facts: [...view.facts, `for callers: ${numbers}, in ${formatCount(changesOf.size, 'answer')}`],
    items: view.items.map((item) => {
      const callers = changesOf.get(item);
      return callers === undefined ? item : { ...item, callers, callersInBrief: worstOf(callers) };
    }),
  };
}

/**
 * Returns a function that finds the response to a request by title and line. The title distinguishes requests of a
 * batch, which share a line.
 */
function answersIn({ items }: View): (title: string, line: number | undefined) => Item | undefined {
  const requests = new ListMap<number, Item>();
  for (const item of items) {
    if (item.kind === 'request' && item.change?.kind !== 'removed') requests.add(item.line, item);
  }
  return (title, line) => {
    const request = requests.get(line ?? 0)?.find(({ method = '' }) => title.startsWith(method));
    return items[request?.answer ?? -1];
  };
}

function shown({ severity, reason, path }: CallerChange): CallerChange {
  return { severity, reason: printable(reason), path: printable(path) };
}
