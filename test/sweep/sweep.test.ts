import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { fixture, gone, Running, recorder, run } from '../support/process.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');

const swept = (manner: string, ...server: string[]) => fixture('swept.js', manner, ...server);

beforeAll(async () => {
  const { command, args } = recorder(cassette, fixture('drifts.js'));
  expect((await run(swept('fails', command, ...args))).status).toBe(0);
});

async function sweep(manner: string, ...options: string[]) {
  const { command, args } = swept(manner, '{server}');
  const { stdout, stderr, status } = await run(
    mcpRecord('sweep', ...options, cassette, '--', command, ...args),
  );
  return { text: stdout.toString(), stderr, status };
}

interface Found {
  results: { verdict: string; point: { name: string; title: string } }[];
}

async function verdicts(manner: string, ...options: string[]) {
  const { text, status } = await sweep(manner, '--json', ...options);
  const { results } = JSON.parse(text) as Found;
  return { status, verdicts: results.map(({ verdict, point }) => `${point.name} ${verdict}`) };
}

const CUTS = ['--faults', 'cut'];
/** Longer than the client is patient, on a slow machine too. */
const PATIENT = ['--deadline', '60000'];

describe('a sweep of a client that', { timeout: 120_000 }, () => {
  it('fails cleanly finds nothing bad', async () => {
    const faults = 'drop,end,cut,exit,truncate,error-reply,duplicate,junk';
    const { text, status } = await sweep('fails', '--faults', faults, ...PATIENT);
    expect(text).toContain('4 passed, 12 failed');
    expect(text).toMatch(/^drop {9}ff$/m);
    expect(text).toMatch(/^junk {9}··$/m);
    expect(status).toBe(0);
  });

  it.each([
    ['hangs', ['cut@1 hung', 'cut@2 hung']],
    ['crashes', ['cut@1 crashed', 'cut@2 crashed']],
    ['leaks', ['cut@1 leaked', 'cut@2 leaked']],
    ['lies', ['cut@1 lied', 'cut@2 lied']],
  ])('%s finds that out', async (manner, found) => {
    expect(
      await verdicts(manner, ...CUTS, ...(manner === 'hangs' ? ['--deadline', '3000'] : PATIENT)),
    ).toEqual({ status: 1, verdicts: found });
  });

  it('names the bad points, what they are, and where', async () => {
    const { text } = await sweep('lies', ...CUTS, ...PATIENT);
    expect(text).toContain(`lied cut@2: answer to tools/call "weather"  (${cassette}:`);
  });
});

describe('a client over HTTP that loses an answer', { timeout: 120_000 }, () => {
  // Both calls have the same answer: what answers the one is not taken for what answers the other.
  const twice = join(folder, 'twice.yaml');
  const call = (id: number, name: string) => `
- client: { id: ${id}, method: tools/call, params: { name: ${name} } }
- server: { id: ${id}, result: { content: [] } }`;
  writeFileSync(
    twice,
    `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: twice, version: "1" } } }
- client: { method: notifications/initialized }${call(1, 'one')}${call(2, 'two')}
`,
  );

  it.each([
    ['asks-again', 0, ['passed', 'passed', 'passed']],
    ['goes-on', 1, ['crashed', 'lied', 'lied']],
  ])('and %s is judged by whether the answer came after all', async (manner, status, verdicts) => {
    const { command, args } = fixture('loses-answers.js', manner, '{url}');
    const options = ['--http', '--json', '--faults', 'cut,drop,http-status'];
    const ended = await run(mcpRecord('sweep', ...options, ...PATIENT, twice, '--', command, ...args));
    const { results } = JSON.parse(ended.stdout.toString()) as Found;
    expect(results.map(({ verdict }) => verdict)).toEqual([...verdicts, ...verdicts, ...verdicts]);
    expect(ended.status).toBe(status);
  });
});

describe('a part of a sweep', { timeout: 120_000 }, () => {
  it('is one point, by its name', async () => {
    expect(await verdicts('lies', '--point', 'cut@2', ...PATIENT)).toEqual({
      status: 1,
      verdicts: ['cut@2 lied'],
    });
  });

  it('is one of several shards, which together are all', async () => {
    const parts = await Promise.all(
      ['1/2', '2/2'].map((shard) => verdicts('fails', '--faults', 'cut,junk', '--shard', shard, ...PATIENT)),
    );
    expect(parts.flatMap((part) => part.verdicts).sort()).toEqual([
      'cut@1 failed',
      'cut@2 failed',
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

describe('a sweep that is killed', { timeout: 120_000 }, () => {
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

describe('a sweep is refused', () => {
  it.each([
    ['a client that is not there', ['--', 'no-such-client'], 'COMMAND_NOT_FOUND'],
    ['a client that fails by itself', ['--', 'false'], 'SWEEP_BASELINE'],
    ['an unknown fault', ['--faults', 'ctu', '--', 'true'], 'USAGE_BAD_SWEEP'],
    ['a fault that is nothing without a parameter', ['--faults', 'latency', '--', 'true'], 'FAULT_BAD_RULE'],
    ['a fault of HTTP over stdio', ['--faults', 'reset', '--', 'true'], 'FAULT_NO_MEANING'],
    ['a fault of stdio over HTTP', ['--http', '--faults', 'stderr-flood', '--', 'true'], 'FAULT_NO_MEANING'],
    ['a client over HTTP that fails by itself', ['--http', '--', 'false'], 'SWEEP_BASELINE'],
    ['an unknown point', ['--point', 'cut@99', '--', 'true'], 'USAGE_BAD_SWEEP'],
    ['a shard that is none', ['--shard', '3/2', '--', 'true'], 'USAGE_BAD_SWEEP'],
    ['no jobs', ['--jobs', '0', '--', 'true'], 'USAGE_BAD_SWEEP'],
  ])('for %s', async (_, [...args], code) => {
    const split = args.indexOf('--');
    const command = mcpRecord('sweep', ...args.slice(0, split), cassette, ...args.slice(split));
    const { stderr, status } = await run(command);
    expect([stderr, status]).toEqual([expect.stringContaining(`[${code}]`), 2]);
  });
});
