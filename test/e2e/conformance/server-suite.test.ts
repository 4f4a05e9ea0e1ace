import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/load.ts';
import { type Listening, record, serve } from '../http/processes.ts';
import { type Checks, conformance } from './suite.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-conformance-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let runs = 0;

/** What the official suite finds at `url`. */
async function checksAt({ url }: Listening, revision: string): Promise<Checks> {
  const results = join(folder, `results-${runs++}`);
  const verdict = await conformance('server', { revision, target: ['--url', url.href], results });
  expect(verdict.status, verdict.said).toBe(0);
  return verdict.checks;
}

const server = () =>
  serve({ command: process.execPath, args: [join(import.meta.dirname, 'server.js')] }, '/mcp');

describe.each(['2025-11-25', '2026-07-28'])('the official suite for servers of %s', (revision) => {
  const tapes = () => join(folder, revision);
  let direct: Checks;

  it('finds the same with a recorder in between', { timeout: 120_000 }, async () => {
    await using far = await server();
    direct = await checksAt(far, revision);
    await using recorder = await record(far.url, `${tapes()}/`);
    expect(await checksAt(recorder, revision)).toEqual(direct);
    expect((await recorder.stop()).status).toBe(0);
    const isOurs = (line: string) => /^(mcp-record: | {2})/.test(line);
    expect(recorder.said.filter((line) => !isOurs(line))).toEqual([]);
  });

  it('leaves tapes that load, and show no session id', () => {
    const names = readdirSync(tapes());
    expect(names).not.toEqual([]);
    for (const name of names) {
      const file = join(tapes(), name);
      expect(loadCassette(file).warnings).toEqual([]);
      expect(readFileSync(file, 'utf8')).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
    }
  });
});
