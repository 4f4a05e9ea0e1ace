// Qwen Code: its check of the configured servers. Nothing else of it runs without an account.
import { program } from '../cli.mjs';
import { checkHost } from '../host.mjs';
import { TIMEOUT } from '../session.mjs';

await checkHost({
  settings: {
    '.qwen/settings.json': (field) => ({
      mcpServers: { field: { ...(field.url ? { httpUrl: field.url } : field), timeout: TIMEOUT } },
    }),
  },
  command: program('clients/qwen-code', '.bin/qwen', 'mcp', 'list'),
  connected: /- Connected/,
});
