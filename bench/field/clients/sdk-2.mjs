// The official TypeScript SDK, major 2.
import { load } from '../installed.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const { Client, StreamableHTTPClientTransport } = await load('clients/sdk-2', '@modelcontextprotocol/client');
const { StdioClientTransport } = await load('clients/sdk-2', '@modelcontextprotocol/client/stdio');

const options = { timeout: TIMEOUT, onprogress: () => {} };
const client = new Client({ name: 'field', version: '1.0.0' });
const transport = url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport(server);
await use({
  open: () => client.connect(transport, options),
  list: () => client.listTools(undefined, options),
  call: (name, args) => client.callTool({ name, arguments: args }, options),
  close: () => client.close(),
});
