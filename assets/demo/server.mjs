// A small MCP server: it answers what a client sends on standard input, a JSON-RPC message on each line.
import { createInterface } from 'node:readline';

const RAIN = { Bergen: 9, Cairo: 0, Lima: 1 };
const weather = {
  name: 'weather',
  description: 'Says how much it rains in a city.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, country: { type: 'string' } },
    required: ['city'],
  },
};

console.error('weather server is up: api_key=3e9a1c-demo-5f07');

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) }));
}

function answer(method, params) {
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'weather', version: '1.0.0' };
      return { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    case 'tools/list':
      return { result: { tools: [weather] } };
    case 'tools/call': {
      const { city } = params.arguments;
      return { result: { content: [{ type: 'text', text: `${city}: ${RAIN[city]} mm of rain` }] } };
    }
    default:
      return { error: { code: -32601, message: `There is no method ${method}` } };
  }
}
