import { isObject, isResponse, type Request } from '../message.ts';

/**
 * Returns the question with this key in the last `input_required` result with this state (2026-07-28, "Multi round-trip
 * requests"). Undefined: none was asked.
 * @param before the messages before the retry, in their order
 * @param key key of the question in `inputRequests`, which becomes its id
 */
export function inputQuestion(before: readonly unknown[], key: string, requestState: unknown): Request | undefined {
  for (const message of before.toReversed()) {
    if (!isResponse(message) || !isObject(message.result)) continue;
    const { inputRequests, requestState: state } = message.result;
    const question = isObject(inputRequests) && state === requestState ? inputRequests[key] : undefined;
    if (isObject(question) && typeof question.method === 'string') return { ...question, id: key } as Request;
  }
  return undefined;
}
