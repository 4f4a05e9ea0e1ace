import { isObject, paramsOf, type Request } from '../../protocol/message.ts';
import { clientResultProblem } from '../../protocol/results/client-result-problem.ts';
import { inputQuestion } from '../../protocol/results/input-question.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';

/**
 * Rule: the result of a client fits the server's request: the content of a form its `requestedSchema`, the use of a tool
 * the tools of the request. From 2026-07-28 on, a retry carries the results.
 */
export const CLIENT_RESULT_RULE: LintRule = {
  id: 'client-result',
  severity: 'error',
  sentence: 'The answer of a client fits the question of the server, such as a form its requestedSchema.',
  source: 'Client features, "Elicitation", "Sampling", "Roots"',
  check({ entries, requests, responses, requestOf }) {
    const answers = responses.flatMap((entry): RuleBreach[] => {
      const question = entry.from === 'client' ? requestOf(entry)?.message : undefined;
      const why = question && problemOf(question, entry.message.result);
      return why === undefined ? [] : [{ entry, why }];
    });
    const retries = requests.flatMap((entry): RuleBreach[] => {
      const { inputResponses, requestState } = paramsOf(entry.message);
      if (entry.from !== 'client' || !isObject(inputResponses)) return [];
      const before = entries.slice(0, entry.index).map(({ message }) => message);
      return Object.entries(inputResponses).flatMap(([key, answer]) => {
        const question = inputQuestion(before, key, requestState);
        const why = question && problemOf(question, answer);
        return why === undefined ? [] : [{ entry, why: `the answer "${key}": ${why}` }];
      });
    });
    return [...answers, ...retries];
  },
};

/** Returns the problem of an answer, as a clause. A placeholder of a secret may replace a value that fits. */
function problemOf(question: Request, result: unknown): string | undefined {
  if (!isObject(result) || JSON.stringify(result).includes('[redacted:')) return undefined;
  return clientResultProblem(question, result);
}
