// The adapters of LangChain: tools of a server as tools of LangChain.
import { load } from '../installed.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const { MultiServerMCPClient } = await load('clients/langchain', '@langchain/mcp-adapters');

const connection = url ? { transport: 'http', url } : { transport: 'stdio', ...server };
const client = new MultiServerMCPClient({
  mcpServers: { field: { ...connection, defaultToolTimeout: TIMEOUT } },
  prefixToolNameWithServerName: false,
});
let tools;
await use({
  open: () => client.initializeConnections(),
  list: async () => {
    tools = await client.getTools();
    return tools.map(({ name }) => name);
  },
  call: (name, args) => tools.find((tool) => tool.name === name).invoke(args),
  close: () => client.close(),
});
