/** Where the CPU of a replayed call goes in the process of a test, beside the SDK's client alone and its server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contenders, writeSums } from './in-process.js';
import { spanOf } from './profile/own-process.js';
import { profileRows } from './profile/table.js';

export const name = 'profile-in-process';
export const isOnRequest = true;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const calls = quick ? 2_000 : 10_000;
  const cassette = join(folder, 'cassette.yaml');
  const workload = (together) => ({
    units: calls,
    run: (contender, options) => spanOf(options, 'in-process-task.js', contender, together, calls, cassette),
  });
  try {
    writeSums(cassette, 2 * calls);
    return await profileRows(quick ? 1 : 2, Object.keys(contenders), {
      'a call': workload(1),
      'a call of 64': workload(64),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
