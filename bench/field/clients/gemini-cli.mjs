// Gemini CLI: its check of the configured servers. Nothing else of it runs without an account.
import { program } from '../cli.mjs';
import { checkHost } from '../host.mjs';
import { TIMEOUT } from '../session.mjs';

process.env.GEMINI_CLI_TRUST_WORKSPACE = 'true';
await checkHost({
  settings: {
    '.gemini/settings.json': (field) => ({
      mcpServers: { field: { ...(field.url ? { httpUrl: field.url } : field), timeout: TIMEOUT } },
    }),
  },
  command: program('clients/gemini-cli', '.bin/gemini', 'mcp', 'list'),
  connected: /- Connected/,
});
