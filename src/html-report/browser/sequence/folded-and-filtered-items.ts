import type { Item } from '../../data/report-data-types.ts';
import { matches, type Query } from '../search-query.ts';

/** Filter and folding of the sequence. */
export interface Folding {
  query: Query;
  /** Whether calls are folded to one row each. */
  folded: boolean;
  /** Positions of requests whose folding differs from the rest. */
  turned: ReadonlySet<number>;
}

/** Reports whether the call of this request is folded to one row. */
export function isFolded({ folded, turned }: Pick<Folding, 'folded' | 'turned'>, request: number): boolean {
  return folded !== turned.has(request);
}

/** Returns positions of items with a row. A folded call stands for all of its items. */
export function visibleItems(items: readonly Item[], folding: Folding): number[] {
  const hasRow: boolean[] = new Array(items.length).fill(false);
  for (const [index, item] of items.entries()) {
    if (!matches(item, folding.query)) continue;
    const { request } = item;
    hasRow[request !== undefined && isFolded(folding, request) ? request : index] = true;
  }
  return [...items.keys()].filter((index) => hasRow[index]);
}
