import {
  type LocalServer,
  type Members,
  type RemoteServer,
  SERVER_PARTS,
  VARIABLE,
  type Value,
} from './server-parts.ts';

/** How a client writes its configuration. The sources are in docs/wrap.md. */
export interface ClientParts {
  file: string;
  /** A variable as this client writes it. */
  variable: string;
  local(server: LocalServer): Members;
  /** Absent: its file has no servers at a URL. */
  remote?(server: RemoteServer): Members;
  /** Other settings of a server, of which each server has one. */
  more: readonly Members[];
  /** Whole configurations around the servers. */
  around: readonly ((servers: Members) => Members)[];
}

/** Places a server's members in the order that it asks for. */
function ordered({ command, args, env, cwd, isCommandLast }: LocalServer, names = { env: 'env' }): Members {
  const rest: Members = { ...(args && { args }), ...(env && { [names.env]: env }), ...(cwd !== undefined && { cwd }) };
  return isCommandLast ? { ...rest, command } : { command, ...rest };
}

const headersOf = ({ headers }: RemoteServer): Members => (headers ? { headers } : {});
const disabled = ({ isOff }: { isOff?: boolean }): Members => (isOff ? { disabled: true } : {});
const enabled = ({ isOff }: { isOff?: boolean }): Members => (isOff === undefined ? {} : { enabled: !isOff });
const MCP_SERVERS = (mcpServers: Members): Members => ({ mcpServers });
const NO_SERVERS: Members = {};

export const CLIENT_PARTS: Readonly<Record<string, ClientParts>> = {
  'claude-code': {
    file: '.mcp.json',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills it in
    variable: '${API_KEY:-none}',
    local: (server) => ({ type: 'stdio', ...ordered(server), ...disabled(server) }),
    remote: (server) => ({
      type: server.isSse ? 'sse' : 'http',
      url: server.url,
      ...headersOf(server),
      ...(server.isOAuth && { oauth: { clientId: 'id', callbackPort: 8080 } }),
      ...disabled(server),
    }),
    more: [{}, { timeout: 60000 }, { alwaysLoad: true }],
    around: [
      MCP_SERVERS,
      (mcpServers) => ({
        numStartups: 42,
        tipsHistory: { 'shift-enter': 3 },
        projects: {
          '/U/me/a b': { allowedTools: [], mcpServers, history: [{ display: 'hi', pastedContents: {} }] },
        },
        userID: 'a1',
      }),
      (mcpServers) => ({
        projects: { 'C:\\work': { mcpServers: NO_SERVERS, hasTrustDialogAccepted: true } },
        mcpServers,
      }),
    ],
  },
  'claude-desktop': {
    file: 'claude_desktop_config.json',
    variable: 'ghp_0',
    local: (server) => ({ ...ordered(server), ...disabled(server) }),
    more: [{}],
    around: [
      MCP_SERVERS,
      (mcpServers) => ({ globalShortcut: 'Ctrl+Space', mcpServers, isUsingBuiltInNodeForMcp: true }),
      (mcpServers) => ({ mcpServers, preferences: { menuBarEnabled: false, quickEntryShortcut: 'off' }, scale: 0 }),
    ],
  },
  cursor: {
    file: 'mcp.json',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
    variable: '${env:API_KEY}',
    local: (server) => ({ ...ordered(server), ...disabled(server) }),
    remote: (server) => ({
      url: server.url,
      ...headersOf(server),
      ...(server.isOAuth && { auth: { CLIENT_ID: 'id', scopes: ['read', 'write'] } }),
      ...disabled(server),
    }),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
    more: [{}, { envFile: '${workspaceFolder}/.env' }],
    around: [
      MCP_SERVERS,
      (mcpServers) => ({ $schema: 'https://example.com/mcp.schema.json', mcpServers, version: 1.5 }),
    ],
  },
  vscode: {
    file: 'mcp.json',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
    variable: '${input:key}',
    local: (server) => ({ type: 'stdio', ...ordered(server), ...disabled(server) }),
    remote: (server) => ({
      type: server.isSse ? 'sse' : 'http',
      url: server.url,
      ...headersOf(server),
      ...disabled(server),
    }),
    more: [{}, { dev: { watch: 'src/**/*.ts', debug: { type: 'node' } } }, { gallery: true }, { sandboxEnabled: true }],
    around: [
      (servers) => ({
        inputs: [{ type: 'promptString', id: 'key', description: 'API key // secret', password: true }],
        servers,
      }),
      (servers) => ({ servers, inputs: [] }),
      (servers) => ({ 'editor.rulers': [80, 120], mcp: { inputs: [], servers }, '[json]': { 'editor.tabSize': 2 } }),
    ],
  },
  zed: {
    file: 'settings.json',
    variable: 'secret',
    local: (server) => ({ source: 'custom', ...enabled(server), ...ordered(server) }),
    remote: (server) => ({ ...enabled(server), url: server.url, ...headersOf(server) }),
    more: [{}, { remote: true }, { timeout: 60 }],
    around: [
      (context_servers) => ({
        theme: { mode: 'system', light: 'One Light' },
        context_servers,
        lsp: { 'rust-analyzer': { binary: { path: '/bin/ra', args: ['--x'] } } },
        vim_mode: true,
      }),
      (context_servers) => ({
        buffer_font_size: 15.5,
        agent: { default_model: { provider: 'zed.dev' } },
        context_servers,
      }),
    ],
  },
  gemini: {
    file: 'settings.json',
    variable: '$API_KEY',
    local: (server) => ({ ...ordered(server), ...disabled(server) }),
    remote: (server) => ({
      [server.isSse ? 'url' : 'httpUrl']: server.url,
      ...headersOf(server),
      ...(server.isOAuth && { oauth: { enabled: true, scopes: ['read'] } }),
      ...disabled(server),
    }),
    more: [{}, { trust: true }, { timeout: 5000, includeTools: ['one', 'two'] }, { description: 'It\'s a "server"' }],
    around: [
      (mcpServers) => ({
        security: { auth: { selectedType: 'oauth-personal' } },
        mcp: { allowed: ['git'] },
        mcpServers,
      }),
      (mcpServers) => ({
        mcpServers,
        ui: { theme: 'Dracula', hideTips: false },
        context: { fileName: ['A.md', 'B.md'] },
      }),
    ],
  },
  opencode: {
    file: 'opencode.jsonc',
    variable: '{env:API_KEY}',
    local: (server) => {
      const { command, args, ...rest } = ordered(server, { env: 'environment' });
      const words: readonly Value[] = [command!, ...((args ?? []) as readonly string[])];
      const members = server.isCommandLast ? { ...rest, command: words } : { command: words, ...rest };
      return { type: 'local', ...members, ...enabled(server) };
    },
    remote: (server) => ({
      type: 'remote',
      url: server.url,
      ...headersOf(server),
      ...(server.isOAuth && { oauth: { scope: 'read' } }),
      ...enabled(server),
    }),
    more: [{}, { timeout: 10000 }],
    around: [
      (mcp) => ({ $schema: 'https://opencode.ai/config.json', mcp, tools: { 'git*': false } }),
      (mcp) => ({ model: 'anthropic/claude-sonnet-4-5', provider: {}, mcp, permission: { bash: { 'rm *': 'ask' } } }),
    ],
  },
  copilot: {
    file: 'mcp-config.json',
    variable: '$COPILOT_MCP_KEY',
    local: (server) => ({ type: 'local', ...ordered(server), ...disabled(server) }),
    remote: (server) => ({
      type: server.isSse ? 'sse' : 'http',
      url: server.url,
      ...headersOf(server),
      ...disabled(server),
    }),
    more: [{ tools: ['*'] }, { tools: [] }, { tools: ['query', 'read'], timeout: 30000 }],
    around: [MCP_SERVERS, (mcpServers) => ({ inputs: [], mcpServers, version: null })],
  },
  windsurf: {
    file: 'mcp_config.json',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Windsurf fills it in
    variable: '${env:API_KEY}',
    local: (server) => ({ ...ordered(server), ...disabled(server) }),
    remote: (server) => ({ serverUrl: server.url, ...headersOf(server), ...disabled(server) }),
    more: [{}, { disabledTools: ['delete'] }, { alwaysAllow: [] }],
    around: [MCP_SERVERS, (mcpServers) => ({ mcpServers, inputs: [{ id: 'x', type: 'promptString' }] })],
  },
  codex: {
    file: 'config.toml',
    variable: 'secret',
    local: (server) => ({ ...enabled(server), ...ordered(server) }),
    remote: (server) => ({
      url: server.url,
      ...(server.headers && { http_headers: server.headers }),
      ...(server.isOAuth && { bearer_token_env_var: 'LINEAR_TOKEN' }),
      ...(server.isSse && { env_http_headers: { 'X-Key': 'ASANA_KEY' } }),
      ...enabled(server),
    }),
    more: [
      {},
      { startup_timeout_sec: 20.5 },
      { enabled_tools: ['one', 'two'], tools: { one: { approval_mode: 'approve' } } },
    ],
    around: [
      (mcp_servers) => ({
        model: 'gpt-5.1-codex',
        approval_policy: 'on-request',
        mcp_servers,
        tui: { notifications: true },
      }),
      (mcp_servers) => ({ profile: 'a.b', projects: { '/U/me/a b': { trust_level: 'trusted' } }, mcp_servers }),
      (mcp_servers) => ({
        mcp_servers,
        sandbox_workspace_write: { network_access: false, writable_roots: ['/tmp', '~/x'] },
      }),
    ],
  },
  YAML: {
    file: 'librechat.yaml',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: LibreChat fills it in
    variable: '${API_KEY}',
    local: (server) => ({ type: 'stdio', ...ordered(server), ...disabled(server) }),
    remote: (server) => ({ type: server.isSse ? 'sse' : 'streamable-http', url: server.url, ...headersOf(server) }),
    more: [{}, { timeout: 60000, initTimeout: 1 }, { serverInstructions: true }, { iconPath: './a: b.svg' }],
    around: [
      (mcpServers) => ({ version: '1.2.8', cache: true, mcpServers, endpoints: { agents: { recursionLimit: 50 } } }),
      (mcpServers) => ({ 'x-env': { LOG: 'debug' }, mcpServers }),
      (mcpServers) => ({ mcpServers, interface: { customWelcome: 'Hello: # you', list: ['a', 'b'] } }),
    ],
  },
};

/** Returns a server as a client writes it. Undefined: the client has no such servers in its file. */
export function serverOf(client: ClientParts, part: string): [name: string, server: Members] | undefined {
  const { name, local, remote } = SERVER_PARTS[part]!;
  const server = local ? client.local(local) : client.remote?.(remote);
  return server && [name, withVariable(server, client.variable) as Members];
}

function withVariable(value: Value, variable: string): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(VARIABLE, JSON.stringify(variable).slice(1, -1)));
}
