// mcp-client, a wrapper around the official SDK.
import { load } from '../installed.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const { MCPClient } = await load('clients/mcp-client', 'mcp-client');

const requestOptions = { timeout: TIMEOUT, onProgress: () => {} };
const client = new MCPClient({ name: 'field', version: '1.0.0' });
await use({
  open: () => client.connect(url ? { type: 'httpStream', url } : { type: 'stdio', ...server }),
  list: () => client.getAllTools({ requestOptions }),
  call: (name, args) => client.callTool({ name, arguments: args }, { requestOptions }),
  close: () => client.close(),
});
