/** Configurations in YAML, which clients name by path only. */
export const YAML_CONFIGURATIONS: readonly string[] = [
  `# servers of LibreChat
version: 1.2.8
mcpServers:
  filesystem:
    type: stdio # by default
    command: npx
    args:
      - -y   # yes
      - "@modelcontextprotocol/server-filesystem"

      - /h/user/LibreChat/
    timeout: 30000
  bare:
    command: bare # without arguments
  far:
    # over HTTP
    url: https://far.example/mcp # staging
    headers:
      X-User: 'one'
    timeout: 60000

endpoints: {}
`,
  `name: Local Agent
mcpServers:
  - name: SQLite # as Continue has them
    command: npx
    args: ["-y", "mcp-sqlite", '/path/to/my db']
  - name: far
    type: streamable-http
    url: https://far.example/mcp
`,
  'mcpServers: { a: { command: "a", args: [b] }, c: { command: c, env: { D: "1" } } }\r\n',
];
