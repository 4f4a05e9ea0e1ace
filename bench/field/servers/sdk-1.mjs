// A server on the official TypeScript SDK, major 1.
import { load } from '../installed.mjs';

const { McpServer } = await load('servers/sdk-1', '@modelcontextprotocol/sdk/server/mcp.js');
const { StdioServerTransport } = await load('servers/sdk-1', '@modelcontextprotocol/sdk/server/stdio.js');
const { z } = await load('servers/sdk-1', 'zod');

const server = new McpServer({ name: 'field', version: '1.0.0' });
server.registerTool('echo', { description: 'Repeats a text.', inputSchema: { text: z.string() } }, ({ text }) => ({
  content: [{ type: 'text', text: `echo: ${text}` }],
}));
await server.connect(new StdioServerTransport());
