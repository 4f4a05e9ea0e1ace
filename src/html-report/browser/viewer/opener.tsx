import { useEffect, useRef } from 'preact/hooks';
import type { FileProblem, OpenProgress } from '../../data/viewer/viewer-messages.ts';
import { Text } from '../text-and-badges.tsx';
import type { ViewerState } from './viewer-state.ts';

/** File chooser: fills the page before the first report, and is a bar above an open report. */
export function Opener({ state }: { state: ViewerState }) {
  const isOpen = state.report.value !== undefined;
  const progress = state.progress.value;
  const problems = state.problems.value;
  const controls = (
    <>
      <Chooser state={state} label={isOpen ? 'Open another cassette' : 'Choose files'} />
      <div role="status">{progress && <Progress progress={progress} />}</div>
      {progress && (
        <button type="button" onClick={() => state.cancel()}>
          Cancel
        </button>
      )}
      {problems.length > 0 && <Problems problems={problems} />}
    </>
  );
  if (isOpen)
    return (
      <section class="opener work is-bar" aria-label="Open a cassette">
        {controls}
      </section>
    );
  return (
    <main class="opener work">
      <h1>Open a cassette</h1>
      <p>Drop a recorded session here. Drop several to compare them.</p>
      {controls}
      <p class="note">
        The file stays in this browser: the page sends nothing, and works without a network. It shows what{' '}
        <code>mcp-record report</code> writes.
      </p>
    </main>
  );
}

function Chooser({ state, label }: { state: ViewerState; label: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="choose" onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept=".yaml,.yml"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Clearing the value lets the user choose the same file again after a change.
          currentTarget.value = '';
          if (files.length > 0) void state.open(files);
        }}
      />
    </>
  );
}

function Progress({ progress: { doing, done } }: { progress: OpenProgress }) {
  return (
    <p>
      <label>
        <Text of={doing} /> <progress {...(done !== undefined && { value: done })} />
      </label>
    </p>
  );
}

function Problems({ problems }: { problems: readonly FileProblem[] }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [problems]);
  return (
    <div ref={list} class="problems" role="alert">
      {problems.map((problem, index) => (
        <Problem key={index} problem={problem} />
      ))}
    </div>
  );
}

function Problem({ problem: { code, what, why, next, place } }: { problem: FileProblem }) {
  return (
    <div class="problem">
      <p class="is-damaged">
        <Text of={`${what}: ${why}`} /> [{code}]
      </p>
      {place && (
        <pre>
          <Text of={`${place.file}:${place.line}${place.column === undefined ? '' : `:${place.column}`}`} />
          {place.text !== undefined && '\n    '}
          {place.text !== undefined && <Text of={place.text.slice(0, EXCERPT_LENGTH_MAX)} />}
        </pre>
      )}
      <p>
        <Text of={next} />
      </p>
    </div>
  );
}

const EXCERPT_LENGTH_MAX = 200;
