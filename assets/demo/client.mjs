// A small MCP client: it starts the server that its arguments name, and prints what the tool "weather" answers.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let id = 0;

const clientInfo = { name: 'demo', version: '1.0.0' };
await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
send({ method: 'notifications/initialized' });
await request('tools/list', {});
for (const city of ['Bergen', 'Cairo', 'Lima']) {
  const { content } = await request('tools/call', { name: 'weather', arguments: { city } });
  console.log(content[0].text);
}
server.stdin.end();

function send(message) {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** Sends a request, and returns the result of its response. */
async function request(method, params) {
  send({ id: ++id, method, params });
  for (;;) {
    const { done, value } = await lines.next();
    if (done) throw new Error('the server has ended');
    const message = JSON.parse(value);
    if (message.id !== id) continue;
    if (message.error) throw new Error(message.error.message);
    return message.result;
  }
}
