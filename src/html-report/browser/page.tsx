import type { ComponentChild } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Item } from '../data/report-data-types.ts';
import { CallsView } from './calls/calls-view.tsx';
import { Details } from './details/details.tsx';
import { Head } from './head.tsx';
import { HelpDialog } from './help-dialog.tsx';
import type { PageState } from './page-state.ts';
import { wordsOf } from './search-query.ts';
import { ROW_HEIGHT } from './sequence/row-positions.ts';
import { SequenceView } from './sequence/sequence-view.tsx';
import { SearchedWords } from './text-and-badges.tsx';
import { ToolsView } from './tools/tools-view.tsx';

const VIEWS = { calls: CallsView, sequence: SequenceView, tools: ToolsView } as const;

interface PageProps {
  state: PageState;
  isPrinted: boolean;
  /** Live page: renders what can be done with the selected item. */
  actionsOn?(item: Item): ComponentChild;
}

/** Page with head, rows, details and help dialog. */
export function Page({ state, isPrinted, actionsOn }: PageProps) {
  const View = VIEWS[state.mode.value];
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event, state);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [state]);
  return (
    <SearchedWords.Provider value={wordsOf(state.query.value)}>
      <Head state={state} />
      <main>
        <View state={state} isPrinted={isPrinted} />
        <Details state={state} {...(actionsOn && { actionsOn })} />
      </main>
      <HelpDialog state={state} />
    </SearchedWords.Provider>
  );
}

const list = () => document.querySelector<HTMLElement>('[role=listbox]');
const search = () => document.querySelector<HTMLInputElement>('input[type=search]');

/** Handles keyboard shortcuts. Fields, buttons and the details pane keep the keys that they use themselves. */
function hear(event: KeyboardEvent, state: PageState): void {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || state.isHelpOpen.value || !(target instanceof Element)) return;
  if (target.closest('.work') !== null) return;
  if (target === search()) {
    if (key !== 'Enter' && key !== 'Escape') return;
    list()?.focus();
  } else if (key === 'Escape') leave(target, state);
  else if (target.matches('textarea')) return;
  else {
    if (target.closest('aside') && !ANYWHERE.has(key)) return;
    if (key === 'Enter' && target.closest('button')) return;
    const task = tasks(state)[key];
    if (task === undefined) return;
    task();
  }
  event.preventDefault();
}

/** Shortcuts that also work in the details pane. Other keys scroll the pane or belong to its buttons. */
const ANYWHERE = new Set(['/', '?', 'n', 'p', 'a', '1', '2', '3']);

/** Moves the focus from the details to the rows, or clears the selection if the rows have the focus. */
function leave(target: Element, state: PageState): void {
  if (target.closest('aside') === null) state.select(undefined);
  list()?.focus();
}

function tasks(state: PageState): Readonly<Record<string, () => void>> {
  const page = Math.max(1, Math.floor((list()?.parentElement?.clientHeight ?? 0) / ROW_HEIGHT) - 3);
  return {
    ArrowDown: () => state.move(1),
    ArrowUp: () => state.move(-1),
    PageDown: () => state.move(page),
    PageUp: () => state.move(-page),
    Home: () => state.move(Number.NEGATIVE_INFINITY),
    End: () => state.move(Number.POSITIVE_INFINITY),
    ArrowLeft: () => state.setFolded(true),
    ArrowRight: () => state.setFolded(false),
    Enter: () => document.querySelector<HTMLElement>('aside')?.focus(),
    a: () => state.moveToOther(),
    n: () => state.moveToTrouble(1),
    p: () => state.moveToTrouble(-1),
    '1': () => state.openMode('calls'),
    '2': () => state.openMode('sequence'),
    '3': () => state.openMode('tools'),
    '+': () => state.zoom(0.5),
    '-': () => state.zoom(2),
    '0': () => (state.span.value = undefined),
    '/': () => search()?.focus(),
    '?': () => (state.isHelpOpen.value = true),
  };
}
