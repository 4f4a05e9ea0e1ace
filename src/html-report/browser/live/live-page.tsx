import { useEffect, useMemo } from 'preact/hooks';
import type { SessionRow } from '../../data/live-page-protocol.ts';
import { AnswerForm } from '../details/answer-editor-context.ts';
import { visible } from '../format.ts';
import { Page } from '../page.tsx';
import { stateSentence } from './cassette-state-labels.ts';
import { answerFormOf } from './edit-recorded-answer.tsx';
import { FaultMenu } from './fault-menu.tsx';
import { ForkMenu } from './fork/fork-menu.tsx';
import { addressOf, type LiveState } from './live-state.ts';
import { SessionTable } from './session-table.tsx';
import { WorkPanel } from './work-panel.tsx';

/** Page of `mcp-record ui`: the list of sessions, or one session. */
export function LivePage({ state, isPrinted }: { state: LiveState; isPrinted: boolean }) {
  const name = state.name.value;
  const page = state.page.value;
  const row = name === undefined ? undefined : state.rows.value.get(name);
  // Hides the session of a foreign file, which would show "nothing failed" for a file without events.
  const session = row?.state === 'foreign' ? undefined : page;
  const form = useMemo(() => answerFormOf(state), [state]);
  useEffect(() => {
    document.title = `${name ?? 'Sessions'} · mcp-record`;
  }, [name]);
  return (
    <>
      <Bar state={state} row={row} />
      {name === undefined && <SessionTable state={state} />}
      {name !== undefined && !session && (
        <main class="sessions">
          <h1>{visible(name)}</h1>
        </main>
      )}
      {session && <WorkPanel key={`work ${name}`} state={state} />}
      {session && (
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

/** Navigation bar: a link to the list of sessions, and the recording state of the open session. */
function Bar({ state, row }: { state: LiveState; row: SessionRow | undefined }) {
  const { name, hello, isConnected, isUnknown } = state;
  const isAlone = hello.value?.isFolder === false;
  const problem = row?.problem;
  return (
    <nav class="live" aria-label="Sessions">
      {name.value !== undefined && !isAlone && (
        <a
          href={addressOf(undefined)}
          onClick={(event) => {
            event.preventDefault();
            state.open(undefined);
          }}
        >
          ← Sessions
        </a>
      )}
      <div role="status">
        {!isConnected.value && (
          <p class="is-damaged">mcp-record ui does not answer. This is what it said last; start it again for more.</p>
        )}
        {isUnknown.value && <p class="is-damaged">There is no cassette of this name.</p>}
        {row && <p class={`state is-${row.state}`}>{stateSentence(row)}</p>}
        {problem && (
          <p class="is-damaged">
            {problem.message} [{problem.code}] {problem.next}
          </p>
        )}
        {row?.replacedAt !== undefined && (
          <p>Another recording took the place of this one at {row.replacedAt}. This is the new one.</p>
        )}
      </div>
    </nav>
  );
}
