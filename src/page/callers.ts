import type { Change as CallerChange, Severity } from '../match/change.ts';
import { printable } from '../report/printable.ts';
import type { Item, View } from './page-data.ts';

/** What changed for callers in the answer to one request. */
export interface CallersChanges {
  /** `tools/list`: the method of the request, and maybe more. */
  title: string;
  /** Where the second session has the request. */
  b?: number;
  changes: readonly CallerChange[];
}

const SEVERITIES: readonly Severity[] = ['breaking', 'compatible', 'cosmetic'];

/** A view of differences whose answers say what changed in them for callers, and which says how much of it hurts. */
export function withCallersChanges(view: View, found: readonly CallersChanges[]): View {
  const changesOf = new Map(
    found.flatMap(({ title, b, changes }): [Item, CallerChange[]][] => {
      const answer = changes.length === 0 ? undefined : answerIn(view, title, b);
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
function answerIn({ items }: View, title: string, line: number | undefined): Item | undefined {
  const request = items.find(
    (item) =>
      item.kind === 'request' &&
      item.line === line &&
      item.change?.kind !== 'removed' &&
      title.startsWith(item.method ?? ''),
  );
  return items[request?.answer ?? -1];
}

function shown({ severity, reason, path }: CallerChange): CallerChange {
  return { severity, reason: printable(reason), path: printable(path) };
}
