// A server on the official TypeScript SDK, major 2.
import { load } from '../installed.mjs';

const { McpServer } = await load('servers/sdk-2', '@modelcontextprotocol/server');
const { StdioServerTransport } = await load('servers/sdk-2', '@modelcontextprotocol/server/stdio');
const { z } = await load('servers/sdk-2', 'zod');

const server = new McpServer({ name: 'field', version: '1.0.0' });
const inputSchema = z.object({ text: z.string() });
server.registerTool('echo', { description: 'Repeats a text.', inputSchema }, ({ text }) => ({
  content: [{ type: 'text', text: `echo: ${text}` }],
}));
await server.connect(new StdioServerTransport());
