import { expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { k6Script } from '../../../src/load/k6/k6-script.ts';

const OPENING = `format: mcp-record/1
transport: http
events:
- client: { jsonrpc: '2.0', id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: a, version: '1' } } }
`;
const ANSWER = `- server: { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: b, version: '1' } } }
`;
const scriptOf = (events: string, more: Partial<Parameters<typeof k6Script>[0]> = {}) =>
  k6Script({
    cassettes: [parseCassette(OPENING + events, 'a.yaml')],
    url: new URL('http://127.0.0.1:9/mcp'),
    hasPublicUrl: true,
    headers: [],
    ignore: [],
    load: { clients: 1, duration: 1_000, ramp: 0, thresholds: [], patience: 1_000 },
    ...more,
  });

it('reads secrets, headers and a URL with a password from the environment', () => {
  const call = `- client: { jsonrpc: '2.0', id: 1, method: tools/call, params: { name: a, arguments: { key: '[redacted:api-key:1]', other: '[redacted:api-key:2]' } } }
- server: { jsonrpc: '2.0', id: 1, result: { content: [] } }
`;
  const { text, variables } = scriptOf(ANSWER + call, {
    url: new URL('http://ann:secret@127.0.0.1:9/mcp'),
    headers: [
      { name: 'authorization', before: 'Bearer ', variable: 'TOKEN' },
      { name: 'x-key', before: '', variable: 'KEY' },
    ],
  });
  expect(variables).toEqual(['MCP_URL', 'API_KEY', 'API_KEY_2', 'TOKEN', 'KEY']);
  expect(text).not.toContain('ann:secret');
  expect(text).toContain(`const SERVER = secret('MCP_URL');`);
  expect(text).toContain('const HEADERS = { "authorization": "Bearer " + secret("TOKEN"), "x-key": secret("KEY") };');
  expect(text).toContain('"[redacted:api-key:2]": "API_KEY_2"');
});

it('has the public URL of a server as its default, and no character that hides another', () => {
  const { text, variables } = scriptOf(ANSWER.replace('name: b', 'name: "\\u202e"'));
  expect(variables).toEqual([]);
  expect(text).toContain('const SERVER = __ENV.MCP_URL || "http://127.0.0.1:9/mcp";');
  expect(text).toContain('\\u202e');
  expect(text).not.toContain('\u202e');
});

it('is none of a cassette without an answer', () => {
  expect(() => scriptOf('')).toThrow(/a\.yaml.*no request whose answer.*\[LOAD_EXPORT_IMPOSSIBLE\]/s);
});

it('sends back what a server makes up: where an answer has it, and where the next call does', () => {
  const calls = `- client: { jsonrpc: '2.0', id: 1, method: tools/call, params: { name: order, arguments: {} } }
- server: { jsonrpc: '2.0', id: 1, result: { content: [{ type: text, text: 'Order ord_8f3a.' }] } }
- client: { jsonrpc: '2.0', id: 2, method: tools/call, params: { name: status, arguments: { id: ord_8f3a } } }
- server: { jsonrpc: '2.0', id: 2, result: { content: [] } }
`;
  const { text } = scriptOf(ANSWER + calls);
  const sessions = JSON.parse(/^const SESSIONS = (\[[\s\S]*?^\]);$/m.exec(text)![1]!);
  const [order, status] = sessions[0].steps.slice(-2);
  expect(order.returns).toEqual([
    { path: ['result', 'content', 0, 'text'], before: 'Order ', after: '.', value: 'ord_8f3a' },
  ]);
  expect(status.places).toEqual([{ path: ['params', 'arguments', 'id'], value: 'ord_8f3a' }]);
});
