import { button, element } from './element.ts';

const KEYS: readonly [keys: string, what: string][] = [
  ['↑ ↓', 'the event before, the next one'],
  ['Page ↑ ↓, Home, End', 'further'],
  ['← →', 'fold a call, unfold it'],
  ['a', 'from a request to its answer, and back'],
  ['n p', 'the next event that failed or is marked, the one before'],
  ['Enter', 'into the details; Escape back'],
  ['/', 'search'],
  ['?', 'this'],
];

const SEARCHES: readonly [text: string, what: string][] = [
  ['echo "not found"', 'both are somewhere in the event'],
  ['method:tools/call tool:add', 'calls of a tool, and what came of them'],
  ['id:7 from:client', 'by JSON-RPC id, by who said it'],
  ['is:error', 'also cancelled, pending, fault, lint, breaking, changed'],
  ['line:58 stream:4', 'by line of the cassette, by HTTP exchange'],
];

/** Builds the dialog with keyboard shortcuts and search fields. */
export function helpDialog(): HTMLDialogElement {
  const list = (rows: readonly [string, string][]) =>
    element('dl', {}, ...rows.map(([a, b]) => element('div', {}, element('dt', {}, a), element('dd', {}, b))));
  const dialog = element(
    'dialog',
    { 'aria-label': 'Keys and searches' },
    // Focuses the heading: a small screen would scroll to the button at the end.
    element('h2', { tabindex: -1, autofocus: true }, 'Keys'),
    list(KEYS),
    element('h2', {}, 'Searches'),
    list(SEARCHES),
    button('Close', () => dialog.close()),
  );
  return dialog;
}
