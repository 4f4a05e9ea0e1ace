import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { EditReply } from '../../data/live-page-protocol.ts';
import type { ShownAnswer } from '../details/answer-editor-context.ts';
import { Text } from '../text-and-badges.tsx';
import { AnswerEditDraft, type DraftState } from './answer-edit-draft.ts';
import { editableAnswerText } from './editable-answer-text.ts';

/** Returns the component that edits an answer of the open session. */
export function answerFormOf(state: DraftState): (props: ShownAnswer) => VNode | null {
  return (shown) => <AnswerEditing state={state} shown={shown} key={shown.index} />;
}

/** Button that begins an edit, or the form of the edit. */
function AnswerEditing({ state, shown }: { state: DraftState; shown: ShownAnswer }) {
  const { draft, version, refusal, post } = state;
  const button = useRef<HTMLButtonElement>(null);
  const isDone = useSignal<string | undefined>(undefined);
  const part = editableAnswerText(shown.answer);
  const current = draft.value;
  const isHere = current?.index === shown.index;
  const end = (said: string) => {
    draft.value = undefined;
    isDone.value = said;
  };
  // Closing the form loses the keyboard focus, which returns to the button.
  useLayoutEffect(() => {
    if (!isHere && isDone.value !== undefined) button.current?.focus();
  }, [isHere]);
  if (isHere && current.language === shown.language)
    return <Form draft={current} isChanged={version.value !== current.version} end={end} />;
  if (part === undefined) return null;
  const begin = () => {
    isDone.value = undefined;
    draft.value = new AnswerEditDraft(shown, part, version.value, post);
  };
  return (
    <p class="ways">
      <button
        type="button"
        ref={button}
        disabled={current !== undefined || refusal.value !== undefined}
        onClick={begin}
      >
        Edit {part.name}
      </button>
      <span role="status">
        {current
          ? `An edit is open${isHere ? ` as ${current.language}` : ' for another answer'}.`
          : (refusal.value ?? isDone.value)}
      </span>
    </p>
  );
}

interface FormProps {
  draft: AnswerEditDraft;
  /** Whether the file has changed since the edit began. */
  isChanged: boolean;
  end(said: string): void;
}

function Form({ draft, isChanged, end }: FormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, reply, language, name, isSaving } = draft;
  const said = reply.value;
  const problem = said && 'problem' in said ? said.problem : undefined;
  const hasChange = said !== undefined && 'difference' in said && said.difference.length > 0;
  useLayoutEffect(() => field.current?.focus(), []);
  const save = async (event: Event) => {
    event.preventDefault();
    const saved = await draft.save();
    if (saved !== undefined) end(saved);
    else field.current?.focus();
  };
  return (
    <form class="answer-form" onSubmit={save} aria-label={`Edit the ${name}`}>
      <label for="answer-text">
        {name === 'result' ? 'Result' : 'Error'} as {language}
      </label>
      <textarea
        id="answer-text"
        ref={field}
        rows={Math.min(ROWS_MAX, Math.max(ROWS_MIN, text.value.split('\n').length + 1))}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={problem?.line !== undefined}
        aria-describedby="answer-problem"
        value={text.value}
        onInput={({ currentTarget }) => void draft.change(currentTarget.value)}
      />
      <div id="answer-problem" role="alert">
        {isChanged && <p class="is-error">The file has changed since you began to edit, so this cannot be saved.</p>}
        {problem && (
          <p class="is-error">
            {problem.line !== undefined && (
              <button type="button" onClick={() => goTo(field.current!, problem)}>
                Line {problem.line}, column {problem.column}
              </button>
            )}{' '}
            <Text of={problem.message} /> [{problem.code}] <Text of={problem.next} />
          </p>
        )}
      </div>
      {hasChange && <Difference reply={said} />}
      <p class="ways">
        <button type="submit" disabled={!hasChange || isSaving.value}>
          {isSaving.value ? 'Saving…' : 'Save to the cassette'}
        </button>
        <button type="button" onClick={() => end('The edit was dropped.')}>
          Cancel
        </button>
      </p>
    </form>
  );
}

/** Heights of the field, in lines. */
const ROWS_MIN = 6;
const ROWS_MAX = 24;

/** Moves the cursor to a place in the field. */
function goTo(field: HTMLTextAreaElement, { line = 1, column = 1 }: { line?: number; column?: number }): void {
  const lines = field.value.split('\n');
  const at = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
  field.focus();
  field.setSelectionRange(at, at);
}

function Difference({ reply }: { reply: Extract<EditReply, { difference: object }> }) {
  return (
    <div class="difference" role="group" aria-label="Difference" tabIndex={0}>
      {reply.difference.map(({ kind, text }, index) => {
        if (kind === 'added') return <ins key={index}>{text}</ins>;
        if (kind === 'removed') return <del key={index}>{text}</del>;
        return <span key={index}>{text}</span>;
      })}
    </div>
  );
}
