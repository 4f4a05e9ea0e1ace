import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { HAS_PROC, titled } from '../../support/on-posix.ts';
import { gone, Running } from '../../support/process.ts';
import { CUTS, PATIENT, sweepsOf, swept } from './sweeps.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
const { sweep, verdicts } = sweepsOf(cassette);

describe('a sweep of a client that', () => {
  it('fails cleanly finds nothing bad', async () => {
    const faults = 'drop,end,cut,exit,truncate,error-reply,duplicate,junk';
    const { text, status } = await sweep('fails', '--faults', faults, ...PATIENT);
    expect(text).toContain('16 good (4 passed, 12 reported), 0 bad');
    expect(text).toMatch(/^drop {9}rr$/m);
    expect(text).toMatch(/^junk {9}··$/m);
    expect(status).toBe(0);
  });

  it.each([
    ['hangs', ['cut@1 hung', 'cut@2 hung']],
    ['crashes', ['cut@1 crashed', 'cut@2 crashed']],
    ['leaks', ['cut@1 leaked', 'cut@2 leaked']],
    ['lies', ['cut@1 lied', 'cut@2 lied']],
  ])('%s finds that out', async (manner, found) => {
    expect(await verdicts(manner, ...CUTS, ...(manner === 'hangs' ? ['--deadline', '3000'] : PATIENT))).toEqual({
      status: 1,
      verdicts: found,
    });
  });
});

describe.skipIf(!HAS_PROC)(titled('a sweep of a client that', 'environments in /proc'), () => {
  it('leaves a process of a group of its own names that process, and ends it', async () => {
    const { text } = await sweep('leaks-detached', '--json', '--point', 'cut@2', ...PATIENT);
    const { results } = JSON.parse(text);
    const why = expect.stringMatching(/^it left process \d+ \(.*setTimeout.*\)$/);
    expect(results).toMatchObject([{ verdict: 'leaked', why }]);
    await gone(Number(/process (\d+)/.exec(results[0].why)?.[1]));
  });

  it('starts its server in a group of its own is not said to leave it', async () => {
    expect(await verdicts('detaches-its-server', ...CUTS, ...PATIENT)).toEqual({
      status: 0,
      verdicts: ['cut@1 reported', 'cut@2 reported'],
    });
  });
});

describe('a part of a sweep', () => {
  it('is one point, by its name', async () => {
    expect(await verdicts('lies', '--point', 'cut@2', ...PATIENT)).toEqual({
      status: 1,
      verdicts: ['cut@2 lied'],
    });
  });

  it('is a point of a fault that no sweep has by default', async () => {
    const options = ['--point', 'latency@1', '--json', ...PATIENT];
    const { text, status } = await sweep('fails', ...options);
    const { results } = JSON.parse(text);
    expect(results).toMatchObject([{ point: { name: 'latency@1', params: { delay: 1000 } }, verdict: 'passed' }]);
    expect([results.length, status]).toEqual([1, 0]);
    const longer = await sweep('fails', ...options, '--faults', 'latency:delay=7000');
    expect(JSON.parse(longer.text).results).toMatchObject([
      { point: { params: { delay: 7000 } }, verdict: 'reported' },
    ]);
  });

  it('is one of several shards, which together are all', async () => {
    const parts = await Promise.all(
      ['1/2', '2/2'].map((shard) => verdicts('fails', '--faults', 'cut,junk', '--shard', shard, ...PATIENT)),
    );
    expect(parts.flatMap((part) => part.verdicts).sort()).toEqual([
      'cut@1 reported',
      'cut@2 reported',
      'junk@1 passed',
      'junk@2 passed',
    ]);
  });

  it('is a report for CI', async () => {
    const junit = join(folder, 'sweep.xml');
    await sweep('lies', ...CUTS, ...PATIENT, '--junit', junit);
    expect(readFileSync(junit, 'utf8')).toMatch(/tests="2" failures="2"/);
  });
});

describe('a sweep that is killed', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGKILL', null],
  ] as const)('by %s leaves no process', async (signal, ended) => {
    const files = mkdtempSync(join(folder, 'files-'));
    const processes = join(files, 'processes');
    writeFileSync(processes, '');
    vi.stubEnv('PROCESSES', processes);
    vi.stubEnv('TMPDIR', mkdtempSync(join(files, 'tmp-')));
    const { command, args } = swept('hangs', '{server}');
    const sweep = mcpRecord('sweep', ...CUTS, ...PATIENT, cassette, '--', command, ...args);
    await using running = new Running(sweep).read();
    const runs = () => readFileSync(processes, 'utf8').split('\n').slice(0, -1);
    // The run without faults, and that of each point, which hang.
    while (runs().length < 3) await turn();
    running.child.kill(signal);
    const { status } = await running.ended;
    for (const pid of runs().flatMap((pids) => pids.split(' '))) await gone(Number(pid));
    expect(status).toBe(ended);
    if (ended !== null) expect(readdirSync(process.env.TMPDIR!)).toEqual([]);
  });
});
