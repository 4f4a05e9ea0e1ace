import type { MessageEntry, SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { isObject, isRequest, paramsOf, type Request } from '../../protocol/message.ts';
import { clientResultProblem } from '../../protocol/results/client-result-problem.ts';
import { inputQuestion } from '../../protocol/results/input-question.ts';

/**
 * Returns why the specification, or the schema of the question, forbids a live answer of a client, as a clause.
 * Undefined: it is allowed, or an error, or the recorded answer has the same problem.
 * @param recorded the `result` of the recorded answer
 * @param live the `result` of the live answer
 */
export function badAnswerProblem(question: Request, recorded: unknown, live: unknown): string | undefined {
  if (!isObject(live)) return undefined;
  const problem = clientResultProblem(question, live);
  if (problem === undefined || !isObject(recorded)) return problem;
  return clientResultProblem(question, recorded) === problem ? undefined : problem;
}

/** An answer that a retried request must not have. */
export interface BadAnswer {
  method: string;
  problem: string;
}

/**
 * Returns the bad answers in a retry (2026-07-28, "Multi round-trip requests"), to the questions in the recorded
 * `input_required` result before it.
 */
export function badAnswersInRetry(
  entries: readonly SessionEntry[],
  recorded: MessageEntry,
  live: Request,
): BadAnswer[] {
  const { inputResponses } = paramsOf(live);
  if (!isObject(inputResponses) || !isRequest(recorded.message)) return [];
  const { requestState, inputResponses: recordedAnswers } = paramsOf(recorded.message);
  const before = entries.slice(0, recorded.index).map(({ message }) => message);
  return Object.entries(inputResponses).flatMap(([key, answer]) => {
    const question = inputQuestion(before, key, requestState);
    const problem =
      question && badAnswerProblem(question, isObject(recordedAnswers) ? recordedAnswers[key] : undefined, answer);
    return question && problem !== undefined ? [{ method: question.method, problem }] : [];
  });
}
