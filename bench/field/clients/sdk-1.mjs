// The official TypeScript SDK, major 1.
import { load } from '../installed.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const { Client } = await load('clients/sdk-1', '@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await load('clients/sdk-1', '@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = await load(
  'clients/sdk-1',
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
);

const options = { timeout: TIMEOUT, onprogress: () => {} };
const client = new Client({ name: 'field', version: '1.0.0' });
const transport = url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport(server);
await use({
  open: () => client.connect(transport, options),
  list: () => client.listTools(undefined, options),
  call: (name, args) => client.callTool({ name, arguments: args }, undefined, options),
  close: () => client.close(),
});
