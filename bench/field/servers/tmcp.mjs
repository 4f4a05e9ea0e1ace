// A server on tmcp.
import { load } from '../installed.mjs';

const { McpServer } = await load('servers/tmcp', 'tmcp');
const { ValibotJsonSchemaAdapter } = await load('servers/tmcp', '@tmcp/adapter-valibot');
const { StdioTransport } = await load('servers/tmcp', '@tmcp/transport-stdio');
const { object, string } = await load('servers/tmcp', 'valibot');

const server = new McpServer(
  { name: 'field', version: '1.0.0', description: 'A server of the field' },
  { adapter: new ValibotJsonSchemaAdapter(), capabilities: { tools: {} } },
);
server.tool({ name: 'echo', description: 'Repeats a text.', schema: object({ text: string() }) }, ({ text }) => ({
  content: [{ type: 'text', text: `echo: ${text}` }],
}));
new StdioTransport(server).listen();
