import type { Item, View } from '../../data/report-data-types.ts';
import { element } from '../element.ts';
import { duration, fateText, seconds, sentence } from '../format.ts';
import { isFolded, type ViewFilter } from '../view-filter.ts';
import { HUES } from './bars.ts';

export interface RowOptions {
  view: View;
  index: number;
  choice: ViewFilter;
  isSelected: boolean;
  /** Position among the rows, from 1, and their number. */
  place: number;
  of: number;
  /** HTTP: the lane of the exchange that carried it. */
  streamLane: number | undefined;
}

/** Renders a row: line and time, the arrow with its text, and marks. */
export function rowElement({ view, index, choice, isSelected, place, of, streamLane }: RowOptions): HTMLElement {
  const item = view.items[index]!;
  const folded = item.kind === 'request' && isFolded(choice, index);
  const row = element('div', {
    id: `row-${index}`,
    role: 'option',
    class: classesOf(item, isSelected),
    'aria-selected': isSelected ? 'true' : 'false',
    'aria-setsize': of,
    'aria-posinset': place,
    'aria-label': sentence(item),
    'data-index': index,
  });
  row.append(
    element('span', { class: 'line' }, lineOf(item)),
    element('span', { class: 'time' }, seconds(item.at)),
    element('span', { class: 'arrow' }, ...label(item, view, folded)),
    element('span', { class: 'marks' }, ...badges(item, view, folded)),
  );
  if (streamLane !== undefined) {
    const dot = element('span', {
      class: `dot hue-${(item.stream ?? 0) % HUES}`,
      title: `stream ${item.stream}`,
    });
    dot.style.setProperty('--lane', String(streamLane));
    row.append(dot);
  }
  return row;
}

function classesOf({ from, kind, fate, failed, change }: Item, isSelected: boolean): string {
  const classes = ['row', `from-${from}`, `kind-${kind}`];
  if (fate === 'error' || failed) classes.push('is-error');
  if (fate === 'cancelled' || fate === 'pending') classes.push(`is-${fate}`);
  if (change) classes.push(`is-${change.kind}`);
  if (isSelected) classes.push('is-selected');
  return classes.join(' ');
}

function lineOf({ line, change }: Item): string {
  const before = change?.beforeLine;
  return before === undefined || before === line ? String(line) : `${before}→${line}`;
}

function label(item: Item, view: View, folded: boolean): Node[] {
  const { what, detail, kind, change } = item;
  const answer = folded ? view.items[item.answer ?? -1] : undefined;
  const parts = [element('span', { class: 'what' }, what)];
  if (kind === 'request') {
    const hasMore = item.answer !== undefined || item.cancel !== undefined;
    parts.unshift(element('span', { class: 'fold', 'aria-hidden': 'true' }, hasMore ? (folded ? '▸' : '▾') : ''));
  }
  if (change) parts.unshift(element('span', { class: 'sign' }, SIGNS[change.kind]));
  if (detail !== undefined) parts.push(element('span', { class: 'detail' }, detail));
  if (answer !== undefined) {
    const said = [answer.what, answer.detail].filter((part) => part !== undefined).join(' ');
    parts.push(element('span', { class: 'outcome' }, said));
  }
  const fate = fateText(item);
  if (fate !== '') parts.push(element('span', { class: 'fate' }, fate));
  else if (kind === 'response' && item.took) {
    parts.push(element('span', { class: 'fate' }, duration(item.took)));
  }
  return parts;
}

const SIGNS = { added: '+', removed: '−', changed: '≠' } as const;

/** A folded call has the marks of all that belongs to it. What changed for callers is told by what hurts most. */
function badges(item: Item, view: View, folded: boolean): Node[] {
  const answer = folded ? view.items[item.answer ?? -1] : undefined;
  const marks = [...(item.marks ?? []), ...(answer?.marks ?? [])];
  const severities = (item.callers ?? answer?.callers ?? []).map(({ severity }) => severity);
  const worst = SEVERITIES.find((severity) => severities.includes(severity));
  const badge = worst && element('span', { class: `badge ${worst}` }, worst);
  const others = marks.slice(0, 3).map(({ kind, title }) => {
    const name = kind === 'fault' ? `⚡ ${title}` : `⚑ ${title}`;
    return element('span', { class: `badge ${kind}`, title: name }, name);
  });
  return badge === undefined ? others : [badge, ...others];
}

const SEVERITIES = ['breaking', 'compatible', 'cosmetic'] as const;
