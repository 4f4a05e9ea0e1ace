import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
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

/** The size of files of the repository, together. */
export function kilobytes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0) / 1024;
}

/** Records a session with `server` in which each line is said when the one before it was answered. */
export async function countRecording(server: Command, lines: readonly string[]): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-counts-'));
  try {
    return await countSession(recorder(join(folder, 'cassette.yaml'), server), lines);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Counts what a program does in a session in which each line is said when the one before it was answered. */
export async function countSession({ command, args }: Command, lines: readonly string[]): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-counts-'));
  const COUNTS = join(folder, 'counts.json');
  try {
    await using session = new Running({ command, args: ['--import', preload, ...args], env: { COUNTS } });
    for (const line of lines) {
      session.child.stdin.write(`${line}\n`);
      await session.line();
    }
    session.child.stdin.end();
    await session.read().ended;
    const counts: Counts = JSON.parse(readFileSync(COUNTS, 'utf8'));
    return { ...counts, ...named(counts) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Paths from the root of the repository, without those of what tests load into a program. */
function named({ files, filesBeforeSpawn = [] }: Counts): Pick<Counts, 'files' | 'filesBeforeSpawn'> {
  const prefix = pathToFileURL(`${root}/`).href;
  const names = (urls: readonly string[]) =>
    urls.map((url) => url.slice(prefix.length)).filter((name) => !name.startsWith('test/'));
  return { files: names(files), filesBeforeSpawn: names(filesBeforeSpawn) };
}
