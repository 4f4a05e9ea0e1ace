import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimAcrossProcesses } from '../../../src/adapters/test/claim-across-processes.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const [a, b] = ['a.test.js', 'b.test.js'].map((name) => join(folder, name)) as [string, string];
const cassette = join(folder, 'shared.yaml');
let runs = 0;
let runId = '';
const claim = (file: string) => claimAcrossProcesses({ file, names: ['one'], runId }, cassette);

const claims = join(folder, 'tmp');

beforeEach(() => {
  rmSync(claims, { recursive: true, force: true });
  mkdirSync(claims);
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, claims);
  runId = `${process.pid}-of-the-test-${++runs}`;
  for (const file of [a, b]) {
    writeFileSync(file, '');
    utimesSync(file, 1, 1);
  }
});

afterEach(() => void vi.unstubAllEnvs());

describe('a cassette that two test files record', () => {
  it('belongs to the first one, in one run', () => {
    claim(a);
    claim(a);
    expect(() => claim(b)).toThrow(
      expect.objectContaining({ code: 'CASSETTE_CLAIMED', message: expect.stringContaining(a) }),
    );
    runId = `${runId}-later`;
    claim(b);
  });

  it('belongs to the second one when the first one was changed, or is gone', () => {
    claim(a);
    const later = new Date(Date.now() + 60_000);
    utimesSync(a, later, later);
    claim(b);
    rmSync(b);
    claim(a);
  });

  it('belongs to both where the runner does not say which run it is', () => {
    for (const file of [a, b]) claimAcrossProcesses({ file, names: ['one'] }, cassette);
  });
});

it('the first claim of a run removes the claims of runs that have ended, an hour later', () => {
  const ended = () => String(spawnSync(process.execPath, ['-e', '']).pid);
  const runs = { old: ended(), recent: ended(), running: String(process.ppid), next: ended() };
  const place = (run: string) => join(claims, `mcp-record-claims-${run}`);
  for (const run of [runs.old, runs.recent, runs.running]) {
    runId = run;
    claim(a);
  }
  const others = join(claims, 'mcp-record-claims-of-another-kind');
  mkdirSync(others);
  const before = new Date(Date.now() - 2 * 3_600_000);
  for (const old of [place(runs.old), place(runs.running), others]) utimesSync(old, before, before);
  runId = runs.recent;
  claim(a);
  expect(readdirSync(claims)).toContain(`mcp-record-claims-${runs.old}`);
  runId = runs.next;
  claim(a);
  const left = [runs.recent, runs.running, runs.next].map((run) => `mcp-record-claims-${run}`);
  expect(readdirSync(claims).sort()).toEqual([...left, 'mcp-record-claims-of-another-kind'].sort());
});
