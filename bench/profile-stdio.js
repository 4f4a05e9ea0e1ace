/** Where the CPU of a recorder goes on stdio, beside that of a process that only forwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineClient, pump } from './line-client.js';
import { profileRows } from './profile/table.js';
import { watched } from './profile/watched.js';
import { ANSWERS, COMMANDS, MEGABYTE } from './stdio.js';

export const name = 'profile-stdio';
export const isOnRequest = true;

const TEXT = join(import.meta.dirname, 'text-server.js');

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const scale = quick ? 0.1 : 1;
  const workload = (server, task, units, warmUp) => ({
    units: units * scale,
    run: async (contender, options) => {
      const client = new LineClient([...options, ...COMMANDS[contender](server, folder)]);
      await task(client, warmUp * scale, 0);
      const span = await watched(client.child.pid, () => task(client, units * scale, warmUp * scale));
      await client.close();
      return span;
    },
  });
  try {
    return await profileRows(quick ? 1 : 2, ['bare', 'recorder'], {
      'a call': workload([ANSWERS], oneAtATime, 8_000, 2_000),
      'a call of 64': workload([ANSWERS], pump, 40_000, 10_000),
      'a burst’s first 3,000 lines, each': workload([ANSWERS], burst, 3_000, 0),
      'each of 100,000 after': workload([ANSWERS], burst, 100_000, 20_000),
      'a 1 MB answer': workload([ANSWERS, String(MEGABYTE)], oneAtATime, 40, 10),
      'a 10 MB answer': workload([ANSWERS, String(10 * MEGABYTE)], oneAtATime, 10, 10),
      '1 MB of random base64': workload([TEXT, 'base64', String(MEGABYTE)], oneAtATime, 20, 10),
      '1 MB of prose': workload([TEXT, 'prose', String(MEGABYTE)], oneAtATime, 20, 10),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function oneAtATime(client, calls, first) {
  for (let n = first; n < first + calls; n++) await client.ask(n);
}

async function burst(client, count, first) {
  if (count === 0) return client.ask(0);
  const all = client.heard(count + 1);
  client.say(first + 1, 'burst', { count });
  await all;
}
