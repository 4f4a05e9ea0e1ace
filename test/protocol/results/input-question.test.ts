import { expect, it } from 'vitest';
import { inputQuestion } from '../../../src/protocol/results/input-question.ts';

const asks = (requestState: string, message: string) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { requestState, inputRequests: { form: { method: 'elicitation/create', params: { message } } } },
});

it('is the last one with the key and the state', () => {
  const before = [asks('a', 'first'), asks('a', 'last'), asks('b', 'other'), { jsonrpc: '2.0', method: 'x' }];
  expect(inputQuestion(before, 'form', 'a')).toEqual({
    id: 'form',
    method: 'elicitation/create',
    params: { message: 'last' },
  });
  expect(inputQuestion(before, 'form', 'c')).toBeUndefined();
  expect(inputQuestion(before, 'page', 'a')).toBeUndefined();
});
