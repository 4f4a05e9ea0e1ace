import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { View } from '../data/report-data-types.ts';
import { hashOf, type Mode, placeOf, type TimeSpan } from './address.ts';
import { callRows } from './calls/filter-call-rows.ts';
import { type Query, readQuery, troublesOf } from './search-query.ts';
import { isFolded, visibleItems } from './sequence/folded-and-filtered-items.ts';

/** State of the page: the open view, selection, search, zoom and folding, and the actions that change them. */
export class PageState {
  readonly #views: Signal<readonly View[]>;
  readonly view: Signal<number> = signal(0);
  readonly mode: Signal<Mode> = signal('calls');
  readonly selected: Signal<number | undefined> = signal(undefined);
  /** Open tab of the details. Undefined: the default tab of the selected item. */
  readonly tab: Signal<string | undefined> = signal(undefined);
  readonly search: Signal<string> = signal('');
  /** Calls: zoomed time span. Undefined: the whole session. */
  readonly span: Signal<TimeSpan | undefined> = signal(undefined);
  readonly isHelpOpen: Signal<boolean> = signal(false);
  /** Sequence: whether calls are folded to one row each. `turned` holds the requests whose folding differs. */
  readonly folded: Signal<boolean> = signal(false);
  readonly turned: Signal<ReadonlySet<number>> = signal(new Set());
  readonly isRealTime: Signal<boolean> = signal(false);
  /** Whether the session is still being recorded. */
  readonly isGrowing: Signal<boolean> = signal(false);

  readonly current: ReadonlySignal<View> = computed(() => this.views[this.view.value]!);
  readonly hasDetails: ReadonlySignal<boolean> = computed(() => this.selected.value !== undefined);
  readonly query: ReadonlySignal<Query> = computed(() => readQuery(this.search.value));
  /** Positions of the items with a row, in row order. */
  readonly rows: ReadonlySignal<number[]> = computed(() =>
    this.mode.value === 'calls'
      ? callRows(this.current.value, { query: this.query.value, span: this.span.value })
      : visibleItems(this.current.value.items, this.#folding),
  );
  /** Row number of the selected item. -1: the item has no row. */
  readonly place: ReadonlySignal<number> = computed(() => this.#rowOf(this.selected.value));

  constructor(views: readonly View[]) {
    this.#views = signal(views);
  }

  get views(): readonly View[] {
    return this.#views.value;
  }

  /** Replaces the views by newer versions of the same views. */
  replaceViews(views: readonly View[]): void {
    const before = this.current.value;
    this.#views.value = views;
    if (before.sessions !== undefined) this.#followItems(before);
  }

  /** Keeps the selection and the folded calls of a timeline: new items of one session may come between its items. */
  #followItems(before: View): void {
    const places = new Map(this.current.value.items.map(({ id }, index) => [id, index]));
    const placeOf = (index: number) => places.get(before.items[index]!.id);
    if (this.selected.value !== undefined) this.selected.value = placeOf(this.selected.value);
    this.turned.value = new Set([...this.turned.value].flatMap((index) => placeOf(index) ?? []));
  }

  get #folding() {
    return { query: this.query.value, folded: this.folded.value, turned: this.turned.value };
  }

  /** Applies the fragment of the address, then keeps the fragment up to date with the page state. */
  follow(): void {
    const { view, index, mode, tab, search = '', span } = placeOf(this.views, location.hash);
    this.view.value = view;
    const item = this.current.value.items[index ?? -1];
    const isOfCall = item === undefined || item.kind === 'request' || item.request !== undefined;
    this.mode.value = mode ?? (isOfCall ? 'calls' : 'sequence');
    this.tab.value = tab;
    this.search.value = search;
    this.span.value = span;
    // Keeps the search and zoom of the link: `select` could reset both.
    if (search !== '' || span) this.selected.value = index;
    else this.select(index);
    this.#stopNaming ??= effect(() => this.#nameInAddress());
  }

  /** Stops updating the fragment of the address. */
  leave(): void {
    this.#stopNaming?.();
  }

  #stopNaming: (() => void) | undefined;

  #nameInAddress(): void {
    const [index, tab, span] = [this.selected.value, this.tab.value, this.span.value];
    const hash = hashOf(this.views, {
      view: this.view.value,
      mode: this.mode.value,
      search: this.search.value,
      ...(index !== undefined && { index }),
      ...(tab !== undefined && { tab }),
      ...(span && { span }),
    });
    // Replaces the history entry: the back button must not step through every selected row.
    history.replaceState(undefined, '', hash || '#');
  }

  openView(view: number): void {
    this.view.value = view;
    this.selected.value = undefined;
    this.turned.value = new Set();
    this.span.value = undefined;
    // Removes `is:` terms: another session may have no such problems.
    this.search.value = this.search.value.replaceAll(/(?<!\S)is:\S+\s*/g, '').trim();
    if (this.current.value.kind === 'differences' && this.mode.value === 'tools') this.mode.value = 'calls';
  }

  /** Switches the mode. A comparison of two sessions has no tools mode. */
  openMode(mode: Mode): void {
    if (mode === 'tools' && this.current.value.kind === 'differences') return;
    this.mode.value = mode;
  }

  /**
   * Selects an item and makes its row visible: unfolds its call, resets search and zoom, or switches to the sequence,
   * as far as necessary.
   */
  select(index: number | undefined): void {
    this.selected.value = index;
    if (index === undefined || this.mode.value === 'tools' || this.#rowOf(index) >= 0) return;
    const { request } = this.current.value.items[index]!;
    if (this.mode.value === 'sequence' && request !== undefined && isFolded(this.#folding, request)) this.fold(request);
    if (this.#rowOf(index) >= 0) return;
    this.search.value = '';
    this.span.value = undefined;
    if (this.#rowOf(index) < 0) this.mode.value = 'sequence';
  }

  /**
   * Returns the row number of an item. The list of calls shows a response, progress or cancellation in the row of its
   * request.
   */
  #rowOf(index: number | undefined): number {
    if (index === undefined) return -1;
    const place = this.rows.value.indexOf(index);
    if (place >= 0 || this.mode.value !== 'calls') return place;
    return this.rows.value.indexOf(this.current.value.items[index]?.request ?? -1);
  }

  move(by: number): void {
    const rows = this.rows.value;
    const from = this.place.value < 0 && by < 0 ? rows.length : this.place.value;
    const to = rows[Math.min(rows.length - 1, Math.max(0, from + by))];
    if (to !== undefined) this.select(to);
  }

  /** Moves the selection from a request to its response, and back. */
  moveToOther(): void {
    const item = this.current.value.items[this.selected.value ?? -1];
    const other = item?.answer ?? item?.request;
    if (other !== undefined) this.select(other);
  }

  moveToTrouble(step: 1 | -1): void {
    const { items } = this.current.value;
    const rows = this.rows.value;
    for (
      let at = this.place.value < 0 && step < 0 ? rows.length - 1 : this.place.value + step;
      rows[at] !== undefined;
      at += step
    ) {
      if (troublesOf(items[rows[at]!]!).length > 0) return this.select(rows[at]);
    }
  }

  fold(request: number): void {
    const turned = new Set(this.turned.value);
    if (!turned.delete(request)) turned.add(request);
    this.turned.value = turned;
  }

  /** Folds the call of the selected item, or unfolds it. */
  setFolded(isWanted: boolean): void {
    const item = this.current.value.items[this.selected.value ?? -1];
    const request = item?.kind === 'request' ? this.selected.value : item?.request;
    if (this.mode.value !== 'sequence' || request === undefined) return;
    if (isFolded(this.#folding, request) === isWanted) return;
    this.fold(request);
    this.select(request);
  }

  /** Scales the visible time span by a factor, centred on the selected item, or else on its own middle. */
  zoom(factor: number): void {
    const { lasted, items, kind } = this.current.value;
    if (kind !== 'session' || lasted === 0) return;
    const { from, to } = this.span.value ?? { from: 0, to: lasted };
    const middle = items[this.selected.value ?? -1]?.at ?? (from + to) / 2;
    const room = Math.max(1, (to - from) * factor);
    if (room >= lasted) this.span.value = undefined;
    else {
      const start = Math.min(Math.max(0, middle - room / 2), lasted - room);
      this.span.value = { from: start, to: start + room };
    }
  }
}
