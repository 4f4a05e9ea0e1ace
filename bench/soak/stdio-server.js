/** Does over stdio what it is asked to, however ugly. */
import { onLines } from './on-lines.js';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const waiting = new Map();

onLines(process.stdin, answer);

function answer(line) {
  const { id, method, params } = JSON.parse(line);
  if (method === undefined) {
    say({ id: waiting.get(id), result: { asked: true } });
    waiting.delete(id);
  } else if (method === 'flood') {
    for (let n = 0; n < params.count; n++) say({ method: 'notifications/message', params: { n, data: params.data } });
    say({ id, result: {} });
  } else if (method === 'junk') {
    process.stdout.write('Listening, said the server, which is no message\n\n{"torn":\n');
    say({ id, result: params });
  } else if (method === 'log') {
    process.stderr.write(`${'log '.repeat(params.count)}\n`);
    say({ id, result: {} });
  } else if (method === 'ask') {
    waiting.set(`s${id}`, id);
    say({ id: `s${id}`, method: 'elicitation/create', params });
  } else if (method === 'exit') {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: 'bye' })}\n{"half":`, () =>
      process.exit(params.status),
    );
  } else if (id !== undefined) say({ id, result: params });
}
