import { type Change as CallerChange, SEVERITIES } from '../../match/change-severity.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { Item, View } from './report-data-types.ts';

/** Changes for callers in the answer to one request. */
export interface BreakingChanges {
  /** `tools/list`: the method of the request, and maybe more. */
  title: string;
  /** Where the second session has the request. */
  b?: number;
  changes: readonly CallerChange[];
}

/** A view of differences whose answers say what changed in them for callers, and which says how much of it hurts. */
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
  }));
  return {
    ...view,
    facts: [
      ...view.facts,
      ...counts.filter(({ count }) => count > 0).map(({ severity, count }) => `${count} ${severity}`),
    ],
    items: view.items.map((item) => {
      const callers = changesOf.get(item);
      return callers === undefined ? item : { ...item, callers };
    }),
  };
}

/** A line may have a batch of requests: the title tells them apart. */
function answersIn({ items }: View): (title: string, line: number | undefined) => Item | undefined {
  const requests = new Map<number, Item[]>();
  for (const item of items) {
    if (item.kind !== 'request' || item.change?.kind === 'removed') continue;
    const others = requests.get(item.line);
    if (others) others.push(item);
    else requests.set(item.line, [item]);
  }
  return (title, line) => {
    const request = requests.get(line ?? 0)?.find(({ method = '' }) => title.startsWith(method));
    return items[request?.answer ?? -1];
  };
}

function shown({ severity, reason, path }: CallerChange): CallerChange {
  return { severity, reason: printable(reason), path: printable(path) };
}
