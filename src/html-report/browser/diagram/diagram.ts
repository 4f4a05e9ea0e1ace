import type { View } from '../../data/report-data-types.ts';
import { element } from '../element.ts';
import { duration } from '../format.ts';
import type { ViewFilter } from '../view-filter.ts';
import { Bars } from './bars.ts';
import { type Layout, placeOfRow, ROW_HEIGHT, rowsWithin } from './layout.ts';
import { rowElement } from './row.ts';

/** Rows beyond the edges that are drawn already, so that scrolling finds them there. */
const OVERSCAN_PX = 150;
/** Minimum height in pixels for the label of a time gap. */
const NAMED_GAP_PX = 22;
/** Paper has no end, but a browser's patience has. */
const PRINTED_MAX = 3_000;

/** What is drawn. */
export interface Drawing {
  view: View;
  layout: Layout;
  choice: ViewFilter;
  selected: number | undefined;
}

/** Draws the sequence diagram. The document holds visible rows only, plus the selected row for assistive technology. */
export class Diagram {
  readonly root: HTMLElement;
  readonly #head: HTMLElement = element('div', { class: 'lanes-head', 'aria-hidden': 'true' });
  readonly #canvas: HTMLElement;
  readonly #rows = new Map<number, HTMLElement>();
  readonly #bars = new Bars();
  #laneOf: ReadonlyMap<number | undefined, number> = new Map();
  #drawing: Drawing | undefined;
  #isScheduled = false;

  constructor(onSelect: (index: number) => void, onFold: (index: number) => void) {
    this.#canvas = element('div', {
      class: 'canvas',
      role: 'listbox',
      tabindex: '0',
    });
    this.root = element('div', { class: 'diagram' }, this.#head, this.#canvas);
    this.root.addEventListener('scroll', () => this.#schedule(), { passive: true });
    new ResizeObserver(() => this.#schedule()).observe(this.root);
    this.#canvas.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element)) return;
      const index = Number(target.closest<HTMLElement>('.row')?.dataset.index ?? Number.NaN);
      if (Number.isNaN(index)) return;
      if (target.matches('.fold')) onFold(index);
      else onSelect(index);
    });
  }

  /** Where keys are heard. */
  get list(): HTMLElement {
    return this.#canvas;
  }

  /** How many rows one page of the screen has. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.root.clientHeight / ROW_HEIGHT) - 2);
  }

  /** Draws all anew. */
  draw(drawing: Drawing): void {
    this.#drawing = drawing;
    const { view, layout, selected } = drawing;
    const { style } = this.root;
    style.setProperty('--server-lanes', String(view.lanes.server));
    style.setProperty('--client-lanes', String(view.lanes.client));
    style.setProperty('--stream-lanes', String(view.lanes.stream));
    this.root.classList.toggle(
      'has-marks',
      view.items.some(({ marks, callers }) => marks !== undefined || callers !== undefined),
    );
    this.#canvas.style.height = `${layout.height}px`;
    this.#canvas.setAttribute('aria-label', nameOf(view));
    this.#canvas.classList.toggle('is-empty', layout.shown.length === 0);
    this.#sayActive(selected);
    this.#rows.clear();
    this.#laneOf = new Map(view.streams.map(({ stream, lane }) => [stream, lane]));
    this.#bars.reset(view, layout);
    this.#canvas.replaceChildren(this.#bars.root);
    this.#head.replaceChildren(...headOf(view));
    this.#window();
  }

  /** Selects another row, or none; all the rest stays as it is drawn. */
  select(selected: number | undefined): void {
    if (this.#drawing === undefined) return;
    this.#mark(this.#drawing.selected, false);
    this.#mark(selected, true);
    this.#sayActive(selected);
    this.#drawing = { ...this.#drawing, selected };
    this.#window();
  }

  /** Brings a row into sight: in the middle, if it was far away. */
  reveal(index: number): void {
    const top = this.#drawing?.layout.tops[index];
    if (top === undefined) return;
    const { scrollTop, clientHeight } = this.root;
    const head = this.#head.offsetHeight;
    const room = clientHeight - head;
    const isNear = top > scrollTop - ROW_HEIGHT * 2 && top < scrollTop + room + ROW_HEIGHT;
    if (!isNear) this.root.scrollTop = top - room / 2;
    else if (top < scrollTop) this.root.scrollTop = top;
    else if (top + ROW_HEIGHT * 2 > scrollTop + room) this.root.scrollTop = top + ROW_HEIGHT * 2 - room;
    this.#window();
  }

  /** Paper shows everything, within reason. */
  print(): void {
    const shown = this.#drawing?.layout.shown ?? [];
    this.#rows.clear();
    this.#canvas.replaceChildren();
    this.#canvas.style.height = '';
    this.#show(0, Math.min(shown.length, PRINTED_MAX));
    const left = shown.length - PRINTED_MAX;
    if (left > 0) this.#canvas.append(element('p', {}, `${left} more events are not printed: filter first.`));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#window();
    });
  }

  #window(): void {
    if (this.#drawing === undefined) return;
    const { layout, selected } = this.#drawing;
    const top = this.root.scrollTop - OVERSCAN_PX;
    const bottom = this.root.scrollTop + this.root.clientHeight + OVERSCAN_PX;
    const [first, end] = rowsWithin(layout, top, bottom);
    const kept = new Set(layout.shown.slice(first, end));
    const selectedPlace = selected === undefined ? undefined : placeOfRow(layout, selected);
    if (selectedPlace !== undefined) kept.add(selected!);
    for (const [index, row] of this.#rows) {
      if (kept.has(index)) continue;
      row.remove();
      this.#rows.delete(index);
    }
    this.#show(first, end);
    if (selectedPlace !== undefined) this.#show(selectedPlace, selectedPlace + 1);
    this.#bars.window(top, bottom);
  }

  #mark(index: number | undefined, isSelected: boolean): void {
    const row = this.#rows.get(index ?? -1);
    row?.classList.toggle('is-selected', isSelected);
    row?.setAttribute('aria-selected', String(isSelected));
  }

  #sayActive(selected: number | undefined): void {
    if (selected === undefined) this.#canvas.removeAttribute('aria-activedescendant');
    else this.#canvas.setAttribute('aria-activedescendant', `row-${selected}`);
  }

  #show(first: number, end: number): void {
    const shown = this.#drawing?.layout.shown ?? [];
    const added: HTMLElement[] = [];
    for (let place = first; place < end; place++) added.push(...this.#make(shown[place]!, place));
    this.#canvas.append(...added);
  }

  /** Returns the row of an item; empty if it has one already. */
  #make(index: number, place: number): HTMLElement[] {
    if (this.#drawing === undefined || this.#rows.has(index)) return [];
    const { view, layout, choice, selected } = this.#drawing;
    const isSelected = index === selected;
    const streamLane = this.#laneOf.get(view.items[index]!.stream);
    const of = layout.shown.length;
    const row = rowElement({ view, index, choice, isSelected, place: place + 1, of, streamLane });
    const top = layout.tops[index]!;
    const above = layout.shown[place - 1];
    const gap = above === undefined ? 0 : top - layout.tops[above]! - ROW_HEIGHT;
    row.style.top = `${top}px`;
    if (gap >= NAMED_GAP_PX) {
      const time = duration(view.items[index]!.at - view.items[above!]!.at);
      const name = element('span', { class: 'gap', 'aria-hidden': 'true' }, time);
      name.style.height = `${gap}px`;
      row.append(name);
    }
    this.#rows.set(index, row);
    return [row];
  }
}

/** Returns the label of the diagram for screen readers. */
function nameOf({ kind, client, server }: View): string {
  const what = kind === 'differences' ? 'Events of two sessions' : 'Events of the session';
  const sides = [client && `client ${client}`, server && `server ${server}`].filter((side) => side);
  return sides.length === 0 ? what : `${what}: ${sides.join(', ')}`;
}

function headOf({ client, server, lanes }: View): Node[] {
  const side = (name: string, who: string | undefined) =>
    element('span', { class: `side ${name.toLowerCase()}` }, element('b', {}, name), who ? ` ${who}` : '');
  return [
    element('span', { class: 'line' }, 'line'),
    element('span', { class: 'time' }, 'seconds'),
    element('span', { class: 'sides' }, side('Client', client), side('Server', server)),
    element('span', { class: 'streams' }, lanes.stream > 0 ? 'streams' : ''),
  ];
}
