// The Strands Agents SDK. It has no timeout of its own.
import { load } from '../installed.mjs';
import { server, url, use } from '../session.mjs';

const { McpClient } = await load('clients/strands', '@strands-agents/sdk');

const [client] = await McpClient.loadServers({ field: url ? { url } : server });
let tools;
await use({
  open: () => client.connect(),
  list: async () => {
    tools = await client.listTools();
    return tools.map(({ name }) => name);
  },
  call: (name, args) =>
    client.callTool(
      tools.find((tool) => tool.name === name),
      args,
    ),
  close: () => client.disconnect(),
});
