import { formatCount } from '../../kernel/format-count.ts';
import type { ReportData, View } from '../data/report-data-types.ts';
import { hashOf, placeOf } from './address.ts';
import { details } from './details/details.ts';
import { Diagram } from './diagram/diagram.ts';
import { type Layout, layoutOf, placeOfRow, ROW_HEIGHT } from './diagram/layout.ts';
import { element } from './element.ts';
import { duration } from './format.ts';
import { helpDialog } from './help-dialog.ts';
import { readQuery, type Trouble, troublesOf } from './search-query.ts';
import { Toolbar } from './toolbar.ts';
import { isFolded, type ViewFilter, visibleItems } from './view-filter.ts';

/** How much longer than with even spacing a session in real time is, in rows for each row, and at the least in pixels. */
const REAL_TIME = { perRow: 1, leastPx: 600 };

/** Controls the page: the view, its filter and the parts that draw it. */
export class ReportPage {
  readonly #views: readonly View[];
  readonly #toolbar: Toolbar;
  readonly #diagram: Diagram;
  readonly #details: HTMLElement = element('aside', {
    'aria-label': 'Details',
    tabindex: '-1',
    hidden: true,
  });
  readonly #help: HTMLDialogElement = helpDialog();
  #view = 0;
  #isDrawn = false;
  #selected: number | undefined;
  #isRealTime = false;
  #choice: ViewFilter = { query: readQuery(''), troubles: new Set(), folded: false, turned: new Set() };
  #layout: Layout = { shown: [], tops: [], height: 0 };

  constructor({ views }: ReportData) {
    this.#views = views;
    this.#toolbar = new Toolbar({
      search: (text) => this.#choose({ query: readQuery(text) }),
      turnTrouble: (trouble) => this.#choose({ troubles: turned(this.#choice.troubles, trouble) }),
      setFolded: (folded) => this.#choose({ folded, turned: new Set() }),
      setSpacing: (isRealTime) => {
        this.#isRealTime = isRealTime;
        this.#draw();
      },
      openView: (view) => this.#go({ view }),
      help: () => this.#help.showModal(),
    });
    this.#diagram = new Diagram(
      (index) => this.#go({ view: this.#view, index }),
      (index) => this.#fold(index),
    );
  }

  /** Draws into `root`, and listens. */
  start(root: HTMLElement): void {
    const main = element('main', {}, this.#diagram.root, this.#details);
    root.append(this.#toolbar.root, main, this.#help);
    this.#diagram.list.addEventListener('keydown', (event) => this.#key(event));
    this.#details.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#diagram.list.focus();
    });
    this.#toolbar.search.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') this.#diagram.list.focus();
    });
    document.addEventListener('keydown', (event) => this.#shortcut(event));
    window.addEventListener('hashchange', () => this.#follow());
    window.addEventListener('beforeprint', () => {
      if (!this.#isDrawn) this.#follow();
      this.#diagram.print();
    });
    window.addEventListener('afterprint', () => this.#draw());
    // Reading a long session takes a turn by itself: drawing it has one of its own.
    requestAnimationFrame(() => this.#follow());
  }

  #follow(): void {
    this.#open(placeOf(this.#views, location.hash));
  }

  #go(place: { view: number; index?: number }): void {
    // Without an entry in the history for each row that somebody passes on the way.
    history.replaceState(undefined, '', hashOf(this.#views, place) || '#');
    this.#open(place);
  }

  #open({ view, index }: { view: number; index?: number }): void {
    const isOther = view !== this.#view || !this.#isDrawn;
    if (isOther) this.#choice = { ...this.#choice, turned: new Set(), troubles: new Set() };
    this.#view = view;
    this.#selected = index;
    if (isOther || (index !== undefined && placeOfRow(this.#layout, index) === undefined)) {
      if (index !== undefined) this.#unhide(index);
      this.#draw();
    } else {
      this.#showDetails();
      this.#diagram.select(index);
    }
    if (index !== undefined) this.#diagram.reveal(index);
  }

  /** Whoever follows a link sees what it leads to, whatever was chosen before. */
  #unhide(index: number): void {
    const { items } = this.#current;
    if (visibleItems(items, this.#choice).includes(index)) return;
    const { request } = items[index]!;
    if (request !== undefined && isFolded(this.#choice, request)) {
      this.#choice = { ...this.#choice, turned: turned(this.#choice.turned, request) };
    }
    if (visibleItems(items, this.#choice).includes(index)) return;
    this.#toolbar.search.value = '';
    this.#choice = { ...this.#choice, query: readQuery(''), troubles: new Set() };
  }

  get #current(): View {
    return this.#views[this.#view]!;
  }

  #choose(choice: Partial<ViewFilter>): void {
    this.#choice = { ...this.#choice, ...choice };
    this.#draw();
    if (this.#selected !== undefined) this.#diagram.reveal(this.#selected);
  }

  #fold(request: number): void {
    this.#choose({ turned: turned(this.#choice.turned, request) });
  }

  #draw(): void {
    this.#isDrawn = true;
    const view = this.#current;
    const shown = visibleItems(view.items, this.#choice);
    this.#layout = layoutOf({ items: view.items, shown, pixelsPerMs: this.#pixelsPerMs(shown.length) });
    this.#toolbar.draw({
      views: this.#views,
      current: this.#view,
      troubles: this.#choice.troubles,
      isRealTime: this.#isRealTime,
      folded: this.#choice.folded,
    });
    const all = formatCount(view.items.length, 'event');
    const rows = shown.length.toLocaleString('en');
    const some = shown.length === view.items.length ? all : `${rows}${this.#choice.folded ? ' rows' : ''} of ${all}`;
    this.#toolbar.say(view.kind === 'session' ? `${some} in ${duration(view.lasted)}` : some);
    this.#showDetails();
    this.#diagram.draw({ view, layout: this.#layout, choice: this.#choice, selected: this.#selected });
  }

  #pixelsPerMs(rows: number): number {
    const { kind, lasted } = this.#current;
    if (!this.#isRealTime || kind !== 'session' || lasted === 0) return 0;
    return Math.max(REAL_TIME.leastPx, rows * ROW_HEIGHT * REAL_TIME.perRow) / lasted;
  }

  #showDetails(): void {
    const index = this.#selected;
    this.#details.hidden = index === undefined;
    if (index === undefined) return this.#details.replaceChildren();
    const parts = details({
      view: this.#current,
      index,
      link: () => location.href,
      go: (other) => this.#go({ view: this.#view, index: other }),
      close: () => {
        this.#go({ view: this.#view });
        this.#diagram.list.focus();
      },
    });
    this.#details.replaceChildren(...parts);
    this.#details.scrollTop = 0;
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const task = this.#tasks()[event.key];
    if (task === undefined) return;
    event.preventDefault();
    task();
  }

  #tasks(): Record<string, () => void> {
    const page = this.#diagram.pageRows;
    const item = this.#current.items[this.#selected ?? -1];
    return {
      ArrowDown: () => this.#move(1),
      ArrowUp: () => this.#move(-1),
      PageDown: () => this.#move(page),
      PageUp: () => this.#move(-page),
      Home: () => this.#move(Number.NEGATIVE_INFINITY),
      End: () => this.#move(Number.POSITIVE_INFINITY),
      ArrowLeft: () => this.#setFold(true),
      ArrowRight: () => this.#setFold(false),
      Enter: () => this.#details.focus(),
      Escape: () => this.#go({ view: this.#view }),
      a: () => this.#goTo(item?.answer ?? item?.request),
      n: () => this.#goToTrouble(1),
      p: () => this.#goToTrouble(-1),
    };
  }

  #move(by: number): void {
    const { shown } = this.#layout;
    const from =
      this.#selected === undefined ? (by > 0 ? -1 : shown.length) : (placeOfRow(this.#layout, this.#selected) ?? -1);
    this.#goTo(shown[Math.min(shown.length - 1, Math.max(0, from + by))]);
  }

  #goTo(index: number | undefined): void {
    if (index !== undefined) this.#go({ view: this.#view, index });
  }

  #goToTrouble(step: 1 | -1): void {
    const { items } = this.#current;
    const rows = step === 1 ? this.#layout.shown : this.#layout.shown.toReversed();
    const from = this.#selected ?? (step === 1 ? -1 : items.length);
    this.#goTo(rows.find((index) => (index - from) * step > 0 && troublesOf(items[index]!).length > 0));
  }

  #setFold(folded: boolean): void {
    const index = this.#selected;
    if (index === undefined) return;
    const item = this.#current.items[index]!;
    const request = item.kind === 'request' ? index : item.request;
    if (request === undefined || isFolded(this.#choice, request) === folded) return;
    this.#fold(request);
    this.#goTo(request);
  }

  #shortcut(event: KeyboardEvent): void {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target instanceof HTMLInputElement) return;
    if (key === '/') this.#toolbar.search.focus();
    else if (key === '?') this.#help.showModal();
    else return;
    event.preventDefault();
  }
}

function turned<Value extends number | Trouble>(set: ReadonlySet<Value>, value: Value): Set<Value> {
  const other = new Set(set);
  if (!other.delete(value)) other.add(value);
  return other;
}
