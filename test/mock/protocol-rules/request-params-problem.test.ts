import { expect, it } from 'vitest';
import { requestParamsProblem } from '../../../src/mock/protocol-rules/request-params-problem.ts';
import { messageChecks } from '../../../src/protocol/schema/message-checks.ts';

const prompt = { type: 'ref/prompt', name: 'p' };
const argument = { name: 'city', value: 'O' };

it.each<[string, object, string | undefined]>([
  ['tools/call', { arguments: {} }, 'it has no name (a string)'],
  ['tools/call', { name: 1 }, 'it has a name that is not a string'],
  ['tools/call', { name: 't', arguments: [] }, 'its arguments are no object'],
  ['tools/call', { name: 't', arguments: { n: 1 } }, undefined],
  ['prompts/get', { name: 'p', arguments: { n: 1 } }, 'its argument n is no string'],
  ['prompts/get', { name: 'p', arguments: { n: '1' } }, undefined],
  ['resources/read', {}, 'it has no uri (a string)'],
  ['resources/subscribe', { url: 'a:b' }, 'it has no uri (a string): did you mean it by url?'],
  ['resources/unsubscribe', { uri: 'a:b' }, undefined],
  ['logging/setLevel', { level: 'warn' }, expect.stringMatching(/^its level is none of debug, /) as unknown as string],
  ['logging/setLevel', { level: 'warning' }, undefined],
  ['completion/complete', { argument }, 'it has no ref (an object)'],
  ['completion/complete', { ref: { type: 'prompt' }, argument }, 'its ref has no type "ref/prompt" or "ref/resource"'],
  ['completion/complete', { ref: { type: 'ref/resource' }, argument }, 'its ref has no uri (a string)'],
  ['completion/complete', { ref: prompt, argument: { name: 'a' } }, 'its argument has no value (a string)'],
  ['completion/complete', { ref: prompt, argument }, undefined],
  ['tasks/get', { taskId: 1 }, 'it has a taskId that is not a string'],
  ['tools/list', { cursor: 1 }, 'its cursor is no string'],
  ['tools/list', {}, undefined],
  ['acme/any', { cursor: 1 }, undefined],
])('%s with %j, as the JSON Schema judges it', (method, params, problem) => {
  expect(requestParamsProblem({ jsonrpc: '2.0', id: 1, method, params } as never)).toEqual(problem);
  const check = messageChecks('2025-11-25')!.ofMethod(method);
  const breach = check?.breachOf({ jsonrpc: '2.0', id: 1, method, params });
  expect(breach === undefined).toBe(problem === undefined);
});
