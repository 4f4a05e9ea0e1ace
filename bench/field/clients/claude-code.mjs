// Claude Code: its check of the configured servers. Nothing else of it runs without an account.
import { join } from 'node:path';
import { checkHost } from '../host.mjs';
import { folderOf } from '../installed.mjs';

const program = join(folderOf('clients/claude-code'), 'node_modules/@anthropic-ai/claude-code-linux-x64/claude');
await checkHost({
  settings: {
    '.claude.json': (field) => ({ mcpServers: { field: field.url ? { type: 'http', url: field.url } : field } }),
  },
  command: [program, 'mcp', 'list'],
  connected: /Connected/,
});
