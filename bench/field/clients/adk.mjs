// The Agent Development Kit of Google. It opens a session for each call.
import { load } from '../installed.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const { MCPToolset } = await load('clients/adk', '@google/adk');

const connection = url
  ? { type: 'StreamableHTTPConnectionParams', url, timeout: TIMEOUT }
  : { type: 'StdioConnectionParams', serverParams: server, timeout: TIMEOUT };
const client = new MCPToolset(connection);
let tools;
await use({
  open: async () => {
    tools = await client.getTools();
  },
  list: async () => tools.map(({ name }) => name),
  call: (name, args) => tools.find((tool) => tool.name === name).runAsync({ args, toolContext: {} }),
  close: () => client.close(),
});
