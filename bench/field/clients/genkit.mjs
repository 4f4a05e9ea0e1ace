// Genkit: tools of a server as tools of Genkit. It has no timeout of its own.
import { load } from '../installed.mjs';
import { server, url, use } from '../session.mjs';

const { genkit } = await load('clients/genkit', 'genkit');
const { createMcpClient } = await load('clients/genkit', '@genkit-ai/mcp');

const ai = genkit({});
const client = createMcpClient({ name: 'field', mcpServer: url ? { url } : server });
let tools;
await use({
  open: () => client.ready(),
  list: async () => {
    tools = await client.getActiveTools(ai);
    return tools.map((tool) => tool.__action.name);
  },
  call: (name, args) => tools.find((tool) => tool.__action.name.endsWith(name))(args),
  close: () => client.disable(),
});
