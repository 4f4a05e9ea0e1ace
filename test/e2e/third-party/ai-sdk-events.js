/**
 * `ai-sdk-events.js [--list] URL` or `ai-sdk-events.js [--list] COMMAND ARGUMENT…`: what a program on `@ai-sdk/mcp`, installed
 * where it runs, sees of a server of the Events extension. It subscribes webhooks, with a secret and an address that it makes
 * up each time. `--list`: it only lists the types of events.
 */
const { createMCPClient } = await import('@ai-sdk/mcp');
const { Experimental_StdioMCPTransport } = await import('@ai-sdk/mcp/mcp-stdio');

const kept = new Map();
const store = {
  get: async (key) => kept.get(key),
  getById: async (id) => [...kept.values()].find((one) => one.id === id),
  set: async (one) => void kept.set(one.key, one),
  update: async (key, patch) => void kept.set(key, { ...kept.get(key), ...patch }),
  delete: async (key) => void kept.delete(key),
};

const listsOnly = process.argv[2] === '--list';
const [command, ...args] = process.argv.slice(listsOnly ? 3 : 2);
const isUrl = command.startsWith('http:');
const client = await createMCPClient({
  transport: isUrl ? { type: 'http', url: command } : new Experimental_StdioMCPTransport({ command, args }),
  experimental_events: { store },
});
const { experimental_events: events } = client;
const refused = ({ name, message }) => ({ name, message });
const delivery = { mode: 'webhook', url: 'https://callback.test/mcp' };
const first = await events.list();
if (listsOnly) {
  console.log(JSON.stringify(first));
  await client.close();
  process.exit();
}
const second = await events.list({ params: { cursor: first.nextCursor } });
const subscribed = await events.subscribe({ name: 'incident.created', arguments: { service: 'db' }, delivery });
const renewed = await events.refresh({ id: subscribed.id });
const invalid = await events.subscribe({ name: 'incident.closed', arguments: { service: 7 }, delivery }).catch(refused);
await events.unsubscribe({ id: subscribed.id });
const left = [...kept.values()].map(({ name, status }) => ({ name, status }));
await client.close();
console.log(JSON.stringify({ first, second, subscribed, renewed, invalid, left }));
