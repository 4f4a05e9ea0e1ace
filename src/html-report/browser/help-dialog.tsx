import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PageState } from './page-state.ts';

const KEYS: readonly [keys: string, what: string][] = [
  ['↑ ↓', 'the row before, the next one'],
  ['Page ↑ ↓, Home, End', 'further'],
  ['1 2 3', 'calls, sequence, tools'],
  ['n p', 'the next row that failed or is marked, the one before'],
  ['a', 'from a request to its answer, and back'],
  ['← →', 'sequence: fold a call, unfold it'],
  ['+ − 0', 'calls: zoom in, zoom out, the whole session'],
  ['Enter', 'into the details; Escape back, and out of them'],
  ['/', 'search'],
  ['?', 'this'],
];

const SEARCHES: readonly [text: string, what: string][] = [
  ['echo "not found"', 'both are somewhere in the event'],
  ['-ping -is:lint', 'what must not be there'],
  ['tool:add method:tools/call', 'calls of a tool, and what came of them'],
  ['took:>100 size:>10kb', 'slower than 100 ms (took:<1.5s: faster), larger than 10,000 bytes'],
  ['id:7 from:client', 'by JSON-RPC id, by who said it'],
  ['is:error is:cancelled', 'either; also pending, fault, lint, breaking, changed, question'],
  ['server:weather', 'on a timeline: what passed between the client and this server'],
  ['line:58 stream:4', 'by line of the cassette, by HTTP exchange'],
];

/** Dialog that lists the keyboard shortcuts and the search syntax. */
export function HelpDialog({ state }: { state: PageState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = state.isHelpOpen.value;
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-label="Keys and searches" onClose={() => (state.isHelpOpen.value = false)}>
      {/* Focuses the heading: a small screen would scroll to the button at the end. */}
      <h2 tabIndex={-1} autofocus>
        Keys
      </h2>
      <Rows rows={KEYS} />
      <h2>Searches</h2>
      <Rows rows={SEARCHES} />
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

function Rows({ rows }: { rows: readonly [string, string][] }) {
  return (
    <dl>
      {rows.map(([name, what]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
