import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from '../support/command.ts';
import { Running, recorder } from '../support/process.ts';

/** What a program did, as counts that no machine sways. */
export interface Counts {
  /** Files of ours and of packages, in the order in which they were loaded; a CommonJS package counts once. */
  files: string[];
  /** Those of them that were loaded when the server was started. */
  filesBeforeSpawn: string[];
  /** How often something was handed to the disk for the cassette. */
  cassetteWrites: number;
  cassetteBytes: number;
  /** What was copied to join pieces. */
  joinedBytes: number;
}

const root = join(import.meta.dirname, '..', '..');
const preload = pathToFileURL(join(root, 'test', 'fixtures', 'counts.js')).href;

/** Records a session with `server` in which each line is said when the one before it was answered. */
export async function countRecording(server: Command, lines: readonly string[]): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-counts-'));
  try {
    const { command, args } = recorder(join(folder, 'cassette.yaml'), server);
    process.env.COUNTS = join(folder, 'counts.json');
    await using session = new Running({ command, args: ['--import', preload, ...args] });
    for (const line of lines) {
      session.child.stdin.write(`${line}\n`);
      await session.line();
    }
    session.child.stdin.end();
    await session.read().ended;
    const counts: Counts = JSON.parse(readFileSync(process.env.COUNTS, 'utf8'));
    return { ...counts, ...named(counts) };
  } finally {
    delete process.env.COUNTS;
    rmSync(folder, { recursive: true });
  }
}

/** Paths from the root of the repository. */
function named({ files, filesBeforeSpawn }: Counts): Pick<Counts, 'files' | 'filesBeforeSpawn'> {
  const prefix = pathToFileURL(`${root}/`).href;
  const name = (url: string) => url.slice(prefix.length);
  return { files: files.map(name), filesBeforeSpawn: filesBeforeSpawn.map(name) };
}
