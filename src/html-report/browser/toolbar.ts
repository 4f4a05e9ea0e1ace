import type { View } from '../data/report-data-types.ts';
import { button, element } from './element.ts';
import { TROUBLES, type Trouble, troublesOf } from './search-query.ts';

/** What the tools of the page do. */
export interface ToolActions {
  search(text: string): void;
  turnTrouble(trouble: Trouble): void;
  setSpacing(isRealTime: boolean): void;
  setFolded(folded: boolean): void;
  openView(index: number): void;
  help(): void;
}

/** What the tools show. */
export interface ToolState {
  views: readonly View[];
  current: number;
  troubles: ReadonlySet<Trouble>;
  isRealTime: boolean;
  folded: boolean;
}

const NAMES: Readonly<Record<Trouble, string>> = {
  error: '✗ failed',
  cancelled: '⊘ cancelled',
  pending: '… pending',
  fault: '⚡ faults',
  lint: '⚑ lint',
  breaking: '‼ breaking',
  changed: '≠ differences',
};

/** Head of the page: the session, its outcome, and the search tools. */
export class Toolbar {
  readonly root: HTMLElement = element('header', { class: 'toolbar' });
  readonly search: HTMLInputElement;
  readonly #actions: ToolActions;
  readonly #suggestions = element('datalist', { id: 'suggestions' });
  readonly #status = element('p', { class: 'status', role: 'status' });
  readonly #about = element('div', { class: 'about' });
  readonly #buttons = element('div', { class: 'buttons' });
  #drawn: ToolState | undefined;

  constructor(actions: ToolActions) {
    this.#actions = actions;
    this.search = element('input', {
      type: 'search',
      placeholder: 'Search: echo  method:tools/call  tool:add  id:7',
      'aria-label': 'Search events by words, method:, tool:, id:, from:, line:, stream: or is:',
      list: 'suggestions',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    this.search.addEventListener('input', () => actions.search(this.search.value));
    // What is taken out of the document loses the focus: the search stays where it is, all the rest is drawn anew.
    const tools = element('div', { class: 'tools' }, this.search, this.#suggestions, this.#buttons);
    this.root.append(this.#about, tools, this.#status);
  }

  draw(state: ToolState): void {
    if (isSame(state, this.#drawn)) return;
    this.#drawn = state;
    const { views, current } = state;
    const view = views[current]!;
    const focused = document.activeElement?.getAttribute('data-key');
    this.#about.replaceChildren(
      ...(views.length > 1 ? [this.#tabs(state)] : []),
      element('div', { class: 'title' }, element('h1', {}, view.title), element('p', {}, view.facts.join(' · '))),
      ...view.warnings.map((warning) => element('p', { class: 'warning' }, warning)),
    );
    this.#buttons.replaceChildren(
      ...this.#troubles(state),
      ...this.#switches(state),
      button('?', () => this.#actions.help(), { 'aria-label': 'Keys and searches', 'data-key': 'help' }),
    );
    this.#suggest(view);
    if (focused) this.root.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
  }

  /** Says how much of the session is in sight. */
  say(text: string): void {
    this.#status.textContent = text;
  }

  #tabs({ views, current }: ToolState): HTMLElement {
    // Of several, each says between which two it is.
    const isOnly = views.filter(({ kind }) => kind === 'differences').length === 1;
    const tabs = views.map(({ title, kind }, index) =>
      button(kind === 'differences' && isOnly ? 'Differences' : title, () => this.#actions.openView(index), {
        'aria-current': index === current ? 'page' : undefined,
        'data-key': `view-${index}`,
      }),
    );
    return element('nav', { 'aria-label': 'Sessions' }, ...tabs);
  }

  /** Renders a button for each kind of problem. */
  #troubles({ views, current, troubles }: ToolState): HTMLElement[] {
    const counts = new Map<Trouble, number>();
    for (const item of views[current]!.items) {
      // A failed call is one trouble, not two: its answer does not count.
      const found = troublesOf(item).filter((one) => one !== 'error' || item.request === undefined);
      for (const trouble of found) counts.set(trouble, (counts.get(trouble) ?? 0) + 1);
    }
    const there = TROUBLES.filter((trouble) => counts.has(trouble));
    if (there.length === 0) return [element('span', { class: 'fine' }, '✓ nothing failed')];
    return there.map((trouble) =>
      button(`${NAMES[trouble]} ${counts.get(trouble)}`, () => this.#actions.turnTrouble(trouble), {
        class: `chip is-${trouble}`,
        'aria-pressed': troubles.has(trouble) ? 'true' : 'false',
        'data-key': trouble,
      }),
    );
  }

  #switches({ views, current, isRealTime, folded }: ToolState): HTMLElement[] {
    const { setSpacing, setFolded } = this.#actions;
    const choice = (name: string, isOn: boolean, task: () => void) =>
      button(name, task, { 'aria-pressed': isOn ? 'true' : 'false', 'data-key': name });
    const group = (label: string, ...buttons: HTMLElement[]) =>
      element('span', { class: 'switch', role: 'group', 'aria-label': label }, ...buttons);
    const calls = group(
      'Calls',
      choice('Unfolded', !folded, () => setFolded(false)),
      choice('Folded', folded, () => setFolded(true)),
    );
    // Two sessions have two clocks.
    if (views[current]!.kind === 'differences') return [calls];
    const spacing = group(
      'Spacing',
      choice('Even', !isRealTime, () => setSpacing(false)),
      choice('Real time', isRealTime, () => setSpacing(true)),
    );
    return [calls, spacing];
  }

  #suggest({ items }: View): void {
    const fields = new Set<string>();
    for (const { method, name } of items) {
      if (method) fields.add(`method:${method}`);
      if (name !== undefined && method === 'tools/call') fields.add(`tool:${name}`);
      if (fields.size > SUGGESTIONS_MAX) break;
    }
    const quoted = [...fields].map((field) => (/\s/.test(field) ? `"${field}"` : field));
    this.#suggestions.replaceChildren(...quoted.map((value) => element('option', { value })));
  }
}

const SUGGESTIONS_MAX = 100;

/** What is chosen is replaced, and never altered. */
function isSame(state: ToolState, other: ToolState | undefined): boolean {
  return (
    other !== undefined &&
    state.views === other.views &&
    state.current === other.current &&
    state.troubles === other.troubles &&
    state.isRealTime === other.isRealTime &&
    state.folded === other.folded
  );
}
