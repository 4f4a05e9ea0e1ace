import { expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { fittingFaults } from '../../../src/ui/served-mock/fitting-faults.ts';

const cassette = parseCassette(
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: {} }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: add, _meta: { progressToken: 1 } } }
- server: { method: notifications/progress, params: { progressToken: 1, progress: 1 } }
- server: { id: 1, method: roots/list }
- client: { id: 1, result: { roots: [] } }
- server: { id: 1, result: { content: [] } }
- client: { id: 2, method: prompts/get, params: { name: hello } }
- server: { id: 2, error: { code: 1, message: no } }
- client: { id: 3, method: resources/read, params: { uri: 'file:///a' } }
- server: { id: 3, result: { contents: [] } }
- client: { id: 4, method: ping }
`,
  'faults.yaml',
);
const at = (line: number) => fittingFaults(cassette, line);
const names = (line: number) => at(line).map(({ name }) => name);
const yaml = (line: number, name: string) => at(line).find((one) => one.name === name)?.yaml;

it('are those of the fault table, with its words, in its order', () => {
  const all = at(6);
  expect(all.map(({ name }) => name)).toEqual([...FAULTS.keys()].filter((name) => names(6).includes(name)));
  for (const { name, doc } of all) expect(doc).toBe(FAULTS.get(name)!.doc);
});

it('apply to the response of a call, or to its request', () => {
  expect(names(6)).toEqual(
    expect.arrayContaining(['latency', 'drop', 'wrong-id', 'error-reply', 'cut', 'http-status']),
  );
  expect(yaml(6, 'error-reply')).toBe(
    '- do: error-reply\n  when:\n    kind: response\n    method: tools/call\n    tool: add',
  );
  expect(yaml(6, 'http-status')).toBe(
    '- do: http-status\n  status: 503\n  when:\n    from: client\n    kind: request\n    method: tools/call\n    tool: add',
  );
});

it.each([
  ['a response', 10, 'drop', 'kind: response\n    method: tools/call\n    tool: add'],
  ['a prompt', 11, 'drop', 'kind: response\n    method: prompts/get\n    prompt: hello'],
  ['a resource', 13, 'drop', 'kind: response\n    method: resources/read\n    resource: file:///a'],
  ['a notification', 7, 'progress', 'kind: notification\n    method: notifications/progress'],
  ['a request of the server', 8, 'drop', 'kind: request\n    method: roots/list'],
  ['the handshake', 3, 'version', 'kind: response\n    method: initialize'],
])('name what %s is about', (_, line, name, when) => {
  expect(yaml(line, name)).toContain(`when:\n    ${when}`);
});

it('leave out those that cannot happen to the message', () => {
  expect(names(6)).not.toContain('version');
  expect(names(6)).not.toContain('progress');
  expect(names(6)).not.toContain('slow-reader');
  expect(names(7)).not.toContain('wrong-id');
  for (const name of ['down', 'slow-close', 'token-refused', 'insufficient-scope', 'oauth-error', 'wrong-issuer'])
    expect(names(6)).not.toContain(name);
  expect(names(15)).not.toContain('drop');
  expect(names(99)).toEqual([]);
});
