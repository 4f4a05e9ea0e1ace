import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Does something with a folder that is gone afterwards. */
export async function inFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-manifest-'));
  try {
    return await task(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
