// The OpenAI Agents SDK.
import { load } from '../installed.mjs';
import { server, TIMEOUT, url, use } from '../session.mjs';

const { MCPServerStdio, MCPServerStreamableHttp } = await load('clients/openai-agents', '@openai/agents');

const limits = { timeout: TIMEOUT, clientSessionTimeoutSeconds: TIMEOUT / 1000 };
const client = url ? new MCPServerStreamableHttp({ url, ...limits }) : new MCPServerStdio({ ...server, ...limits });
await use({
  open: () => client.connect(),
  list: () => client.listTools(),
  call: (name, args) => client.callTool(name, args),
  close: () => client.close(),
});
