/** Writing and loading cassettes, against what JSON costs for the same messages; and the memory that a long cassette takes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CORPORA } from './cassette-tasks.js';

export const name = 'cassette';

export async function run({ quick }) {
  const row = (deed, corpus, limit) => ({
    what: `${deed}, ${corpus}`,
    unit: 'µs CPU a message',
    ...JSON.parse(node('cassette-row.js', deed, corpus, quick ? 0.1 : 1)),
    goal: `≤ ${limit} ×`,
  });
  const corpora = Object.keys(CORPORA);
  return [
    ...corpora.map((corpus) => row('write', corpus, 3)),
    ...corpora.map((corpus) => row('load', corpus, 3.5)),
    memory(quick ? 50_000 : 1_000_000),
  ];
}

/** What a program of this folder prints. */
function node(script, ...args) {
  const path = join(import.meta.dirname, script);
  return execFileSync(process.execPath, [path, ...args.map(String)], { encoding: 'utf8' });
}

/** Writes and streams a cassette of `count` events in a process of its own, and says how much memory that took at most. */
function memory(count) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-bench-'));
  try {
    const peak = (...args) => Number(node('cassette-memory.js', ...args, join(folder, 'cassette.yaml')));
    peak('write', count);
    const values = { node: peak('idle'), 'mcp-record': peak('stream', count) };
    return {
      what: `stream ${count.toLocaleString('en')} events`,
      unit: 'MB resident',
      values,
      ratio: values['mcp-record'],
      goal: '≤ 128',
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
