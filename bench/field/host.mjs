/** The check of a host: it connects to each configured server, and says which of them it reached. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { print } from './cli.mjs';
import { server, url, use } from './session.mjs';

/**
 * Runs the check in a home folder of its own.
 * @param {{ settings: Record<string, (server: object) => object>, command: string[], connected: RegExp }} host `settings`: the files of its home
 */
export async function checkHost({ settings, command, connected }) {
  const home = mkdtempSync(join(tmpdir(), 'mcp-record-home-'));
  try {
    for (const [file, contents] of Object.entries(settings)) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), JSON.stringify(contents(url ? { url } : server)));
    }
    Object.assign(process.env, { HOME: home, XDG_CONFIG_HOME: join(home, '.config') });
    await use({
      open: async () => {
        const text = await print(command);
        const line = text.split('\n').find((one) => one.includes('field:')) ?? text;
        if (!connected.test(line)) throw new Error(line.split(' - ').at(-1));
      },
      close: async () => {},
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
