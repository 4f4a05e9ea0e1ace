/** The clients and hosts of `npm run field clients`, with the packages that each needs, and what is left out. */

/** What stands in front of a bridge. */
const FRONT = '@modelcontextprotocol/sdk@1.32.2';
/**
 * `packages`: what is installed, at exact versions; the first is the client. `over`: the transports that it has. `hasProgress`: it asks for the
 * progress of calls. `callsNothing`: it is a host without an account, which opens a session, and makes no call.
 */
export const CLIENTS = {
  adk: {
    title: 'Agent Development Kit',
    packages: ['@google/adk@2.0.0', '@modelcontextprotocol/sdk@1.32.2'],
  },
  'ai-sdk': { title: 'AI SDK', packages: ['@ai-sdk/mcp@2.0.99'] },
  'claude-code': {
    title: 'Claude Code',
    packages: ['@anthropic-ai/claude-code@2.1.332'],
    callsNothing: true,
  },
  'gemini-cli': { title: 'Gemini CLI', packages: ['@google/gemini-cli@0.61.0'], callsNothing: true },
  genkit: { title: 'Genkit', packages: ['@genkit-ai/mcp@1.42.0', 'genkit@1.42.0'] },
  inspector: {
    title: 'Inspector, command line',
    packages: ['@modelcontextprotocol/inspector@2.12.0'],
  },
  langchain: { title: 'LangChain adapters', packages: ['@langchain/mcp-adapters@1.1.4', '@langchain/core@1.4.0'] },
  llamaindex: { title: 'LlamaIndex tools', packages: ['@llamaindex/tools@0.2.1'] },
  mastra: {
    title: 'Mastra',
    packages: ['@mastra/mcp@2.0.0', '@mastra/core@1.71.0'],
  },
  'mcp-client': { title: 'mcp-client', packages: ['mcp-client@1.13.1'], hasProgress: true },
  'mcp-proxy': {
    title: 'mcp-proxy, a bridge',
    packages: ['mcp-proxy@6.7.19', FRONT],
    over: ['stdio'],
    hasProgress: true,
  },
  'mcp-remote': {
    title: 'mcp-remote, a bridge',
    packages: ['mcp-remote@0.15.1', FRONT],
    over: ['http'],
    hasProgress: true,
  },
  mcporter: {
    title: 'mcporter, command line',
    packages: ['mcporter@0.12.3'],
  },
  'openai-agents': { title: 'OpenAI Agents SDK', packages: ['@openai/agents@0.20.0'] },
  'qwen-code': { title: 'Qwen Code', packages: ['@qwen-code/qwen-code@0.24.4'], callsNothing: true },
  'sdk-1': { title: 'TypeScript SDK 1', packages: ['@modelcontextprotocol/sdk@1.32.2'], hasProgress: true },
  'sdk-2': { title: 'TypeScript SDK 2', packages: ['@modelcontextprotocol/client@2.4.0'], hasProgress: true },
  strands: { title: 'Strands Agents', packages: ['@strands-agents/sdk@1.19.0'] },
  supergateway: { title: 'Supergateway, a bridge', packages: ['supergateway@4.0.0', FRONT], hasProgress: true },
};

/** Clients that cannot be run by this command, with the reason. */
export const LEFT_OUT_CLIENTS = {
  'Codex CLI': 'Not tried: its sessions need an account.',
  FastMCP: 'A framework for servers: see [servers](field-servers.md). It has no client of its own.',
  'GitHub Copilot CLI': 'Not tried: its sessions need an account.',
  'mcp-use':
    'Version 2 has its client in a package of its own, which the registry did not have. Version 1 is not tried.',
  'mcpc (Apify)': 'Not tried: it keeps a process for each session, which runs would share.',
  'OpenAI Agents SDK for Python, MCP SDKs for Python and Go': 'Neither npm nor Debian has them.',
  opencode: 'Not tried yet.',
  'BeeAI, VoltAgent, promptfoo, Cline': 'Not tried yet.',
  tmcp: 'A framework for servers: see [servers](field-servers.md). It has no client for a process or URL.',
};
