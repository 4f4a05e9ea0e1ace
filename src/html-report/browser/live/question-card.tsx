import { useSignal } from '@preact/signals';
import type { ShownQuestion } from '../../data/live/verification-and-mock-types.ts';
import { Text } from '../text-and-badges.tsx';
import type { WorkState } from './verification-and-mock-state.ts';

/** Proposed error of a person who refuses (2025-11-25, "Sampling", "Error Handling"). */
const REFUSAL = JSON.stringify({ code: -1, message: 'User rejected the request' }, undefined, 2);

/** A question of the live server, with the recorded answer to send or to change. */
export function QuestionCard({ work, question }: { work: WorkState; question: ShownQuestion }) {
  const { id, method, params, answer, isInput } = question;
  const isError = useSignal(question.isError);
  const text = useSignal(answer);
  const problem = useSignal<string | undefined>(undefined);
  const send = () => {
    problem.value = undefined;
    try {
      const value: unknown = JSON.parse(text.value);
      void work.act('answer', { question: id, [isError.value ? 'error' : 'result']: value });
    } catch (error) {
      problem.value = `This is no JSON: ${(error as Error).message}`;
    }
  };
  const refuse = (isRefused: boolean) => {
    isError.value = isRefused;
    text.value = isRefused === question.isError ? answer : isRefused ? REFUSAL : '{}';
  };
  return (
    <section class="card question" aria-label={`The server asks ${method}`}>
      <h3>
        The server asks <Text of={method} />
      </h3>
      <div class="sides">
        <pre tabIndex={0} aria-label="Params">
          <Text of={params} />
        </pre>
        <label>
          Your {isError.value ? 'error' : 'result'}, as JSON
          <textarea
            rows={8}
            spellcheck={false}
            aria-invalid={problem.value !== undefined}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
      </div>
      {problem.value !== undefined && (
        <p class="is-damaged" role="alert">
          {problem.value}
        </p>
      )}
      <div class="work-buttons">
        <button type="button" onClick={send}>
          Send
        </button>
        <button type="button" onClick={() => void work.act('answer', { question: id, recorded: true })}>
          Give the recorded answer
        </button>
        {!isInput && (
          <label>
            <input
              type="checkbox"
              checked={isError.value}
              onChange={({ currentTarget }) => refuse(currentTarget.checked)}
            />{' '}
            Refuse with an error
          </label>
        )}
      </div>
    </section>
  );
}
