import { useEffect, useMemo } from 'preact/hooks';
import type { SessionRow } from '../../data/live-page-protocol.ts';
import { AnswerForm } from '../details/answer-editor-context.ts';
import { visible } from '../format.ts';
import { Page } from '../page.tsx';
import { STATE_NAMES, stateSentence } from './cassette-state-labels.ts';
import { answerFormOf } from './edit-recorded-answer.tsx';
import { FaultMenu } from './fault-menu.tsx';
import { ForkMenu } from './fork/fork-menu.tsx';
import { addressOf, type LiveState } from './live-state.ts';
import { SessionTable } from './session-table.tsx';
import { WorkPanel } from './work-panel.tsx';

/** Page of `mcp-record ui`: the list of sessions, or one session. */
export function LivePage({ state, isPrinted }: { state: LiveState; isPrinted: boolean }) {
  const names = state.names.value;
  const name = state.name.value;
  const page = state.page.value;
  const title = names.join(', ');
  const row = name === undefined ? undefined : state.rows.value.get(name);
  // Hides the session of a foreign file, which would show "nothing failed" for a file without events.
  const session = row?.state === 'foreign' ? undefined : page;
  const form = useMemo(() => answerFormOf(state), [state]);
  useEffect(() => {
    document.title = `${title || 'Sessions'} · mcp-record`;
  }, [title]);
  return (
    <>
      <Bar state={state} rows={names.flatMap((one) => state.rows.value.get(one) ?? [])} />
      {names.length === 0 && <SessionTable state={state} />}
      {names.length > 0 && !session && (
        <main class="sessions">
          <h1>{visible(title)}</h1>
        </main>
      )}
      {session && name === undefined && <Page key={title} state={session} isPrinted={isPrinted} />}
      {session && name !== undefined && <WorkPanel key={`work ${name}`} state={state} />}
      {session && name !== undefined && (
        <AnswerForm.Provider value={form}>
          <Page
            key={name}
            state={session}
            isPrinted={isPrinted}
            actionsOn={(item) => (
              <>
                <FaultMenu key={`fault ${item.line}`} work={state.work} line={item.line} />
                <ForkMenu key={`fork ${item.line}`} state={state} view={session.current.value} item={item} />
              </>
            )}
          />
        </AnswerForm.Provider>
      )}
    </>
  );
}

/** Navigation bar: a link to the list of sessions, and the recording state of each open session. */
function Bar({ state, rows }: { state: LiveState; rows: readonly SessionRow[] }) {
  const { names, hello, isConnected, isUnknown } = state;
  const isAlone = hello.value?.isFolder === false;
  const isTimeline = names.value.length > 1;
  return (
    <nav class="live" aria-label="Sessions">
      {names.value.length > 0 && !isAlone && (
        <a
          href={addressOf([])}
          onClick={(event) => {
            event.preventDefault();
            state.open([]);
          }}
        >
          ← Sessions
        </a>
      )}
      <div role="status">
        {!isConnected.value && (
          <p class="is-damaged">mcp-record ui does not answer. This is what it said last; start it again for more.</p>
        )}
        {isUnknown.value && (
          <p class="is-damaged">
            {isTimeline
              ? 'There is no cassette of one of these names, or there are more than 20.'
              : 'There is no cassette of this name.'}
          </p>
        )}
        {rows.map((row) => (
          <RowState key={row.name} row={row} isNamed={isTimeline} />
        ))}
      </div>
    </nav>
  );
}

function RowState({ row, isNamed }: { row: SessionRow; isNamed: boolean }) {
  const { name, state, problem, replacedAt } = row;
  const of = isNamed ? `${visible(name)}: ` : '';
  return (
    <>
      <p class={`state is-${state}`}>{isNamed ? of + STATE_NAMES[state] : stateSentence(row)}</p>
      {problem && (
        <p class="is-damaged">
          {of}
          {problem.message} [{problem.code}] {problem.next}
        </p>
      )}
      {replacedAt !== undefined && (
        <p>
          {of}Another recording took the place of this one at {replacedAt}. This is the new one.
        </p>
      )}
    </>
  );
}
