import { expect, it } from 'vitest';
import { capabilityForRequest } from '../../src/lint/capability-for-request.ts';

it.each([
  ['sampling/createMessage', {}, {}, ['sampling']],
  ['sampling/createMessage', { tools: [] }, { sampling: {} }, ['sampling', 'tools']],
  ['elicitation/create', {}, { elicitation: {} }, ['elicitation']],
  ['elicitation/create', {}, { elicitation: { url: {} } }, ['elicitation', 'form']],
  ['elicitation/create', { mode: 'url' }, {}, ['elicitation', 'url']],
  ['roots/list', {}, {}, ['roots']],
  ['ping', {}, {}, []],
])('%s with %j to a client with %j needs %j', (method, params, declared, path) => {
  expect(capabilityForRequest({ method, params }, declared)).toEqual(path);
});
