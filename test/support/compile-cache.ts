import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Vitest's global setup: lets the programs that tests start by the thousand share what Node has compiled, from Node 22 on. Node 20
 * ignores it. The folder is gone when the tests are.
 */
export default function setup(): (() => void) | undefined {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-compiled-'));
  process.env.NODE_COMPILE_CACHE = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
