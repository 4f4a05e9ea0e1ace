// Mastra. Its tools are called as an agent would have them called.
import { load } from '../installed.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const { MCPClient } = await load('clients/mastra', '@mastra/mcp');

const field = url ? { url: new URL(url) } : server;
const client = new MCPClient({ servers: { field: { ...field, timeout: TIMEOUT } }, timeout: TIMEOUT });
let tools;
await use({
  open: async () => {
    // listTools() leaves out a server that fails, and only logs it.
    const listed = await client.listToolsWithErrors();
    if (listed.errors.field) throw new Error(listed.errors.field);
    tools = listed.tools;
  },
  list: async () => Object.keys(tools),
  call: (name, args) => tools[`field_${name}`].execute(args, {}),
  close: () => client.disconnect(),
});
