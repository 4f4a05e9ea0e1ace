import type { Item } from '../data/report-data-types.ts';
import { matches, type Query, type Trouble, troublesOf } from './search-query.ts';

/** View options chosen by the person. */
export interface ViewFilter {
  query: Query;
  /** Any of these; none: all items. */
  troubles: ReadonlySet<Trouble>;
  /** Whether calls are folded to one row each. */
  folded: boolean;
  /** Indexes of requests whose folding differs from the rest. */
  turned: ReadonlySet<number>;
}

/** Whether the call that begins here is one row. */
export function isFolded({ folded, turned }: ViewFilter, request: number): boolean {
  return folded !== turned.has(request);
}

/** Returns indexes of items with a row. A folded call stands for all of its items. */
export function visibleItems(items: readonly Item[], choice: ViewFilter): number[] {
  const hasRow: boolean[] = new Array(items.length).fill(false);
  for (const [index, item] of items.entries()) {
    if (!isWanted(item, choice)) continue;
    const { request } = item;
    hasRow[request !== undefined && isFolded(choice, request) ? request : index] = true;
  }
  return [...items.keys()].filter((index) => hasRow[index]);
}

function isWanted(item: Item, { query, troubles }: ViewFilter): boolean {
  if (troubles.size > 0 && !troublesOf(item).some((trouble) => troubles.has(trouble))) return false;
  return matches(item, query);
}
