import { expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { lint } from '../../src/lint/lint.ts';
import { CLIENT_RESULT_RULE } from '../../src/lint/rules/client-result.ts';
import { cassette, client, request, server } from '../support/conversation.ts';

const found = (...frames: Frame[]) =>
  lint(cassette(...frames), [CLIENT_RESULT_RULE]).map(({ severity, who, why }) => `${severity} ${who}: ${why}`);
const requestedSchema = { type: 'object', properties: { people: { type: 'integer' } }, required: ['people'] };
const FORM = { message: 'How many?', requestedSchema };
const answer = (result: object) => client({ jsonrpc: '2.0', id: 'q', result });

it.each([
  [{ action: 'accept', content: { people: '4' } }, 'its content does not fit the schema of the request'],
  [{ action: 'decline', content: { people: 4 } }, 'its content has people, though the action is "decline"'],
  [{ action: 'acept' }, 'its action is "acept"'],
])('an answer that its question forbids is an error: %j', (result, why) => {
  expect(found(server(request('q', 'elicitation/create', FORM)), answer(result))).toEqual([
    expect.stringContaining(`error client: ${why}`),
  ]);
});

it.each([
  { action: 'accept', content: { people: 4 } },
  { action: 'decline' },
  { action: 'accept', content: { people: '[redacted:people#1]' } },
])('an answer that fits, or is redacted, passes: %j', (result) => {
  expect(found(server(request('q', 'elicitation/create', FORM)), answer(result))).toEqual([]);
});

it('an answer of 2026-07-28 is found in the retry', () => {
  const asked = {
    jsonrpc: '2.0',
    id: 1,
    result: {
      resultType: 'input_required',
      requestState: 's',
      inputRequests: {
        form: { method: 'elicitation/create', params: FORM },
      },
    },
  };
  const retry = (content: object, requestState: string) =>
    client(
      request(2, 'tools/call', { name: 'a', requestState, inputResponses: { form: { action: 'accept', content } } }),
    );
  const call = client(request(1, 'tools/call', { name: 'a' }));
  expect(found(call, server(asked), retry({ people: '4' }, 's'))).toEqual([
    expect.stringContaining('error client: the answer "form": its content does not fit the schema'),
  ]);
  expect(found(call, server(asked), retry({ people: 4 }, 's'))).toEqual([]);
  // The question of another state is unknown.
  expect(found(call, server(asked), retry({ people: '4' }, 't'))).toEqual([]);
});
