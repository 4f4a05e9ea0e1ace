// A server on FastMCP for TypeScript.
import { load } from '../installed.mjs';

const { FastMCP } = await load('servers/fastmcp', 'fastmcp');
const { z } = await load('servers/fastmcp', 'zod');

const server = new FastMCP({ name: 'field', version: '1.0.0' });
server.addTool({
  name: 'echo',
  description: 'Repeats a text.',
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }) => `echo: ${text}`,
});
await server.start({ transportType: 'stdio' });
