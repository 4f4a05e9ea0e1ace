/**
 * Where the CPU of a recorder goes over HTTP, beside that of a reverse proxy that only forwards and of one of ours that does not
 * record; and what a rule costs each event of a stream.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { events, flooded, jsonAnswers, largeAnswers, through, WARM_UP } from './http.js';
import { profileRows } from './profile/table.js';
import { watched } from './profile/watched.js';

export const name = 'profile-http';
export const isOnRequest = true;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  const scale = quick ? 0.1 : 1;
  const rounds = quick ? 1 : 2;
  const workload = (task, count, ofItsOwn = 0) => ({
    units: count * scale + ofItsOwn,
    run: (contender, options) =>
      through(
        contender,
        folder,
        async (url, pid) => {
          await task(url, Math.ceil((count * scale) / 4));
          return watched(pid, () => task(url, count * scale));
        },
        options,
      ),
  });
  const flood = { 'an event of a flood': workload(flooded, 50_000) };
  try {
    return [
      ...(await profileRows(rounds, ['bare', 'proxy', 'recorder'], {
        'a JSON call': workload(jsonAnswers, 1_000, WARM_UP),
        'an event and its cue': workload(events, 1_000, WARM_UP),
        ...flood,
        'a 10 MB SSE answer': workload(largeAnswers, 10),
      })),
      ...(await profileRows(rounds, ['proxy with a rule'], flood)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
