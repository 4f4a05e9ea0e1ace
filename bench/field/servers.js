/** The servers of `npm run field servers`, with the packages that each needs, and what is left out. */

/**
 * `packages`: what is installed, at exact versions; the first is the server. `program`: its file below `node_modules`. Absent: the file
 * `servers/NAME.mjs`, a server of a few lines on a framework. `args`, `env`: its arguments and variables; `{data}` is a folder of its own.
 * `call`: a call that changes nothing.
 */
export const SERVERS = {
  'agent-infra-commands': {
    title: 'Agent Infra, commands',
    packages: ['@agent-infra/mcp-server-commands@1.2.18'],
    program: '@agent-infra/mcp-server-commands/dist/index.cjs',
    call: ['run_command', { command: 'echo hello' }],
  },
  'agent-infra-filesystem': {
    title: 'Agent Infra, filesystem',
    packages: ['@agent-infra/mcp-server-filesystem@1.2.29'],
    program: '@agent-infra/mcp-server-filesystem/dist/index.cjs',
    args: ['--allowed-directories', '{data}'],
    call: ['list_allowed_directories', {}],
  },
  'budget-allocator': {
    title: 'Budget allocator, MCP Apps example',
    packages: ['@modelcontextprotocol/server-budget-allocator@2.0.3'],
    program: '@modelcontextprotocol/server-budget-allocator/dist/index.js',
    args: ['--stdio'],
    call: ['get-budget-data', {}],
  },
  calc: {
    title: 'calc-mcp',
    packages: ['@coo-quack/calc-mcp@2.1.1'],
    program: '@coo-quack/calc-mcp/dist/index.js',
    call: ['math', { expression: '2 + 3' }],
  },
  'code-runner': {
    title: 'Code Runner',
    packages: ['mcp-server-code-runner@0.1.8'],
    program: 'mcp-server-code-runner/dist/cli.js',
    call: ['run-code', { code: 'console.log(1)', languageId: 'javascript' }],
  },
  'cohort-heatmap': {
    title: 'Cohort heatmap, MCP Apps example',
    packages: ['@modelcontextprotocol/server-cohort-heatmap@2.0.3'],
    program: '@modelcontextprotocol/server-cohort-heatmap/dist/index.js',
    args: ['--stdio'],
    call: ['get-cohort-data', {}],
  },
  commands: {
    title: 'mcp-server-commands',
    packages: ['mcp-server-commands@0.5.0'],
    program: 'mcp-server-commands/build/index.js',
    call: ['run_command', { command: 'echo hello' }],
  },
  'customer-segmentation': {
    title: 'Customer segmentation, MCP Apps example',
    packages: ['@modelcontextprotocol/server-customer-segmentation@2.0.3'],
    program: '@modelcontextprotocol/server-customer-segmentation/dist/index.js',
    args: ['--stdio'],
    call: ['get-customer-data', {}],
  },
  eslint: {
    title: 'ESLint',
    packages: ['@eslint/mcp@0.3.13'],
    program: '@eslint/mcp/src/mcp-cli.js',
    call: ['lint-files', { filePaths: ['{data}/a.js'] }],
  },
  everything: {
    title: 'Everything, reference server',
    packages: ['@modelcontextprotocol/server-everything@2026.8.31'],
    program: '@modelcontextprotocol/server-everything/dist/index.js',
    args: ['stdio'],
    call: ['get-sum', { a: 2, b: 3 }],
  },
  fastmcp: { title: 'FastMCP, framework', packages: ['fastmcp@4.20.16'], call: ['echo', { text: 'hello' }] },
  filesystem: {
    title: 'Filesystem, reference server',
    packages: ['@modelcontextprotocol/server-filesystem@2026.8.31'],
    program: '@modelcontextprotocol/server-filesystem/dist/index.js',
    args: ['{data}'],
    call: ['list_allowed_directories', {}],
  },
  git: {
    title: 'git-mcp-server',
    packages: ['@cyanheads/git-mcp-server@2.15.3'],
    program: '@cyanheads/git-mcp-server/dist/index.js',
    call: ['git_wrapup_instructions', { acknowledgement: 'yes' }],
  },
  'hello-world': {
    title: 'mcp-hello-world',
    packages: ['mcp-hello-world@1.1.2'],
    program: 'mcp-hello-world/build/stdio.js',
    call: ['add', { a: 2, b: 3 }],
  },
  'mastra-docs': {
    title: 'Mastra docs',
    packages: ['@mastra/mcp-docs-server@1.2.27'],
    program: '@mastra/mcp-docs-server/dist/stdio.js',
    call: ['mastraMigration', {}],
  },
  memory: {
    title: 'Memory, reference server',
    packages: ['@modelcontextprotocol/server-memory@2026.8.31'],
    program: '@modelcontextprotocol/server-memory/dist/index.js',
    call: ['read_graph', {}],
  },
  'memory-bank': {
    title: 'memory-bank-mcp',
    packages: ['@allpepper/memory-bank-mcp@0.2.2'],
    program: '@allpepper/memory-bank-mcp/dist/main/index.js',
    env: { MEMORY_BANK_ROOT: '{data}' },
    call: ['list_projects', {}],
  },
  'scenario-modeler': {
    title: 'Scenario modeler, MCP Apps example',
    packages: ['@modelcontextprotocol/server-scenario-modeler@2.0.3'],
    program: '@modelcontextprotocol/server-scenario-modeler/dist/index.js',
    args: ['--stdio'],
    call: ['get-scenario-data', {}],
  },
  'sdk-1': {
    title: 'TypeScript SDK 1, framework',
    packages: ['@modelcontextprotocol/sdk@1.32.2'],
    call: ['echo', { text: 'hello' }],
  },
  'sdk-2': {
    title: 'TypeScript SDK 2, framework',
    packages: ['@modelcontextprotocol/server@2.4.0', 'zod@4.6.7'],
    call: ['echo', { text: 'hello' }],
  },
  'sequential-thinking': {
    title: 'Sequential thinking, reference server',
    packages: ['@modelcontextprotocol/server-sequential-thinking@2026.8.31'],
    program: '@modelcontextprotocol/server-sequential-thinking/dist/index.js',
    call: ['sequentialthinking', { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }],
  },
  shadertoy: {
    title: 'ShaderToy, MCP Apps example',
    packages: ['@modelcontextprotocol/server-shadertoy@2.0.3'],
    program: '@modelcontextprotocol/server-shadertoy/dist/index.js',
    args: ['--stdio'],
    call: ['render-shadertoy', {}],
  },
  'sheet-music': {
    title: 'Sheet music, MCP Apps example',
    packages: ['@modelcontextprotocol/server-sheet-music@2.0.3'],
    program: '@modelcontextprotocol/server-sheet-music/dist/index.js',
    args: ['--stdio'],
    call: ['play-sheet-music', {}],
  },
  'system-monitor': {
    title: 'System monitor, MCP Apps example',
    packages: ['@modelcontextprotocol/server-system-monitor@2.0.3'],
    program: '@modelcontextprotocol/server-system-monitor/dist/index.js',
    args: ['--stdio'],
    call: ['get-system-info', {}],
  },
  taskmanager: {
    title: 'mcp-taskmanager',
    packages: ['@kazuph/mcp-taskmanager@1.1.1'],
    program: '@kazuph/mcp-taskmanager/dist/index.js',
    call: ['list_requests', {}],
  },
  threejs: {
    title: 'Three.js, MCP Apps example',
    packages: ['@modelcontextprotocol/server-threejs@2.0.3'],
    program: '@modelcontextprotocol/server-threejs/dist/index.js',
    args: ['--stdio'],
    call: ['learn_threejs', {}],
  },
  time: {
    title: 'time-mcp',
    packages: ['time-mcp@1.0.6'],
    program: 'time-mcp/dist/index.js',
    call: ['days_in_month', { date: '2026-02-01' }],
  },
  tmcp: {
    title: 'tmcp, framework',
    packages: ['tmcp@1.20.0', '@tmcp/transport-stdio@0.5.0', '@tmcp/adapter-valibot@0.1.6', 'valibot@1.5.0'],
    call: ['echo', { text: 'hello' }],
  },
};

/** Servers that cannot be run by this command, with the reason. */
export const LEFT_OUT_SERVERS = {
  '`@ark-ui/mcp`': 'It fetches its data from the internet when it starts.',
  '`@adobe/spectrum-design-data-mcp`': 'Its package does not start: a module that it loads is missing.',
  '`@wonderwhy-er/desktop-commander`, `@upstash/context7-mcp`':
    'Not tried: the first reports its use, the second fetches from the internet.',
  '`chrome-devtools-mcp`, `@playwright/mcp`': 'Each of their tools needs a browser.',
  '`@drawio/mcp`': 'Its only tool that reads fetches its data from the internet.',
  '`mcp-obsidian`':
    'Its list of tools has an `inputSchema` without `type`, so that a client of the SDK refuses the list.',
  '`obsidian-mcp`, `@sylphx/pdf-reader-mcp`, `nx-mcp`, `mcp-git`':
    'Their tools need a vault, a file or a repository, which is not made here yet.',
  '`mcp-framework`, `mcp-lite`, `mcp-use`, `xmcp`': 'Frameworks that are not tried yet.',
};
