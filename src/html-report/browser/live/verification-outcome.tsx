import type { VerifiedStep } from '../../data/report-data-types.ts';
import { count } from '../format.ts';
import { Text } from '../text-and-badges.tsx';
import type { LiveState } from './live-state.ts';
import { Problem } from './problem.tsx';
import { QuestionCard } from './question-card.tsx';
import type { ShownVerification } from './verification-and-mock-state.ts';

/** Maximum number of listed differences. The search finds the others. */
const LISTED_MAX = 100;

/** Latest verification: progress, findings, and links to differing rows. */
export function VerificationPanel({ state }: { state: LiveState }) {
  const verification = state.work.verification.value;
  if (verification === undefined) return null;
  const { steps, notes, problem, questions } = verification;
  const isRunning = verification.state === 'running';
  const failed = steps.filter(({ status }) => status === 'failed');
  return (
    <>
      {/* Screen readers would announce each step. */}
      <p class="verdict" role="status" aria-live={isRunning && questions.length === 0 ? 'off' : 'polite'}>
        {statusOf(verification)}
      </p>
      {questions.map((question) => (
        <QuestionCard key={question.id} work={state.work} question={question} />
      ))}
      {problem && <Problem problem={problem} />}
      {failed.length > 0 && (
        <ol class="differing" aria-label="What differs">
          {failed.slice(0, LISTED_MAX).map((step) => (
            <li>
              <StepLink step={step} state={state} />
            </li>
          ))}
          {failed.length > LISTED_MAX && <li>{count(failed.length - LISTED_MAX)} more: search for is:changed.</li>}
        </ol>
      )}
      {notes.map((note) => (
        <p class="note">
          <Text of={note} />
        </p>
      ))}
    </>
  );
}

function statusOf({ state, steps, waiting, questions }: ShownVerification): string {
  const number = (status: VerifiedStep['status']) => steps.filter((step) => step.status === status).length;
  const [passed, failed, skipped] = [number('passed'), number('failed'), number('skipped')];
  const counts = [
    failed > 0 && `✗ ${count(failed)} ${failed === 1 ? 'differs' : 'differ'}`,
    `✓ ${count(passed)} as recorded`,
    skipped > 0 && `${count(skipped)} skipped`,
  ];
  const words = counts.filter((text) => text !== false).join(', ');
  switch (state) {
    case 'running':
      if (questions.length > 0)
        return `Verifying: ${words}. The server waits for your answer to ${questions[0]!.method}`;
      return `Verifying: ${words}${waiting.length === 0 ? '' : `. Waiting for ${waiting[0]}`}`;
    case 'stopped':
      return `Stopped: ${words}`;
    case 'outdated':
      return 'Not verified since an answer was edited';
    case 'failed':
      return 'Not verified';
    default:
      return `Verified: ${words}`;
  }
}

/** One-line difference that links to its row. */
function StepLink({ step: { title, line, headline = 'differs' }, state }: { step: VerifiedStep; state: LiveState }) {
  const page = state.page.value;
  const index = page?.current.value.items.findIndex((item) => item.line === line) ?? -1;
  const words = (
    <>
      ✗ <Text of={title} />
      {line !== undefined && <span class="note"> line {line}</span>} <Text of={headline} />
    </>
  );
  if (index < 0) return <p>{words}</p>;
  return (
    <button type="button" onClick={() => page?.select(index)}>
      {words}
    </button>
  );
}
