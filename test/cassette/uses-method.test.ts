import { expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { usesMethod } from '../../src/cassette/uses-method.ts';

it('reports a method of a request, of a notification, and of a message in a batch', () => {
  const cassette = parseCassette(
    `format: mcp-record/1
events:
- client: { jsonrpc: "2.0", id: 1, method: search }
- server: { jsonrpc: "2.0", method: changed }
- client: [{ jsonrpc: "2.0", id: 2, method: batched }]
- server: { jsonrpc: "2.0", id: 1, result: { method: none } }
`,
    'a.yaml',
  );
  const used = ['search', 'changed', 'batched', 'none'].filter((method) => usesMethod([cassette], method));
  expect(used).toEqual(['search', 'changed', 'batched']);
  expect(usesMethod([], 'search')).toBe(false);
});
