import type { View } from '../data/report-data-types.ts';

/** A place in the page: a view and an event. */
export interface Place {
  view: number;
  index?: number;
}

/** Returns the fragment of a link: `#line-58`, or `#2/line-58` for a view other than the first. */
export function hashOf(views: readonly View[], { view, index }: Place): string {
  const id = index === undefined ? '' : (views[view]?.items[index]?.id ?? '');
  if (view === 0) return id === '' ? '' : `#${id}`;
  return `#${view + 1}/${id}`;
}

/** The place that a link names. An event that is not there is none; a line between two events is the one before it. */
export function placeOf(views: readonly View[], hash: string): Place {
  const [, number, id = ''] = /^#?(?:(\d+)\/)?(.*)$/s.exec(hash) ?? [];
  const view = number === undefined ? 0 : Number(number) - 1;
  const items = views[view]?.items;
  if (items === undefined) return { view: 0 };
  const exact = items.findIndex((item) => item.id === id);
  if (exact >= 0) return { view, index: exact };
  const line = Number(/^line-(\d+)$/.exec(id)?.[1] ?? 0);
  const before = items.findLastIndex((item) => item.line <= line && item.change?.kind !== 'removed');
  return before >= 0 ? { view, index: before } : { view };
}
