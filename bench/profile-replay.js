/** Where the CPU of a replay goes on stdio, beside a server that echoes lines and one that answers from parsed lines. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesIn } from './floors.js';
import { pump } from './line-client.js';
import { profileRows } from './profile/table.js';
import { sinceItsStart, watched } from './profile/watched.js';
import { cassetteIn, opened, program } from './replay.js';
import { ANSWERS } from './stdio.js';

export const name = 'profile-replay';
export const isOnRequest = true;

/** By the name of the contender, its command for so many calls in the cassette. */
const SERVERS = {
  echo: () => [ANSWERS],
  'parsed lines': (folder, calls) => [join(import.meta.dirname, 'floor-replay.js'), linesIn(folder, calls)],
  replay: (folder, calls) => [program, 'replay', cassetteIn(folder, calls)],
};

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const scale = quick ? 0.1 : 1;
  const workload = (units, calls, task) => ({
    units,
    run: async (contender, options) => {
      const client = await opened([...options, ...SERVERS[contender](folder, calls)]);
      const span = await task(client);
      await client.close();
      return span;
    },
  });
  const calling = (calls, before) =>
    workload(calls, calls + before, async (client) => {
      await pump(client, before);
      return watched(client.child.pid, () => pump(client, calls, before));
    });
  const starting = (calls) => workload(1, calls, (client) => sinceItsStart(client.child.pid));
  try {
    return await profileRows(quick ? 1 : 2, Object.keys(SERVERS), {
      'the first 2,000 calls of 64, each': calling(2_000 * scale, 0),
      'each of 40,000 after': calling(40_000 * scale, 2_000 * scale),
      'start, 1 call in the cassette': starting(1),
      'start, 10,000 calls on it': starting(10_000 * scale),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
