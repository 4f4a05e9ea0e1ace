import type { View } from '../data/report-data-types.ts';

/** Display modes of a session. */
export const MODES = ['calls', 'sequence', 'tools'] as const;
export type Mode = (typeof MODES)[number];

/** Part of a session. Both ends are milliseconds since the first event. */
export interface TimeSpan {
  from: number;
  to: number;
}

/** Place in the page that a link names: the view, the selected event, and the display settings. */
export interface Place {
  view: number;
  index?: number;
  mode?: Mode;
  /** Tab of the details. */
  tab?: string;
  search?: string;
  span?: TimeSpan;
}

/** Returns the fragment of a link: `#line-58`, `#2/line-58` for a view other than the first, `#?view=tools&q=echo`. */
export function hashOf(views: readonly View[], { view, index, mode = 'calls', tab, search, span }: Place): string {
  const id = index === undefined ? '' : (views[view]?.items[index]?.id ?? '');
  const fields = new URLSearchParams();
  if (mode !== 'calls') fields.set('view', mode);
  if (search) fields.set('q', search);
  if (tab) fields.set('tab', tab);
  if (span) fields.set('ms', `${Math.floor(span.from)}-${Math.ceil(span.to)}`);
  const path = view === 0 ? id : `${view + 1}/${id}`;
  const query = fields.size === 0 ? '' : `?${fields}`;
  return path === '' && query === '' ? '' : `#${path}${query}`;
}

/**
 * Parses the fragment of a link. Ignores an event that the view does not have. A line between two events selects the
 * event before it.
 */
export function placeOf(views: readonly View[], hash: string): Place {
  const [, number, id = '', query = ''] = /^#?(?:(\d+)\/)?([^?]*)(?:\?(.*))?$/s.exec(hash) ?? [];
  const view = number === undefined ? 0 : Number(number) - 1;
  const items = views[view]?.items;
  if (items === undefined) return { view: 0 };
  const place: Place = { view, ...lookOf(new URLSearchParams(query)) };
  const exact = items.findIndex((item) => item.id === id);
  if (exact >= 0) return { ...place, index: exact };
  const [, session = '', given = '0'] = /^(s\d+-)?line-(\d+)$/.exec(id) ?? [];
  const line = Number(given);
  const before = items.findLastIndex((item) => item.line <= line && item.id.startsWith(`${session}line-`));
  return before >= 0 ? { ...place, index: before } : place;
}

function lookOf(fields: URLSearchParams): Partial<Place> {
  const mode = MODES.find((one) => one === fields.get('view'));
  const [search, tab] = [fields.get('q'), fields.get('tab')];
  const [, from, to] = /^(\d+)-(\d+)$/.exec(fields.get('ms') ?? '') ?? [];
  return {
    ...(mode && { mode }),
    ...(search && { search }),
    ...(tab && { tab }),
    ...(Number(to) > Number(from) && { span: { from: Number(from), to: Number(to) } }),
  };
}
