import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, recorder, run } from '../../support/process.ts';
import type { Found } from './sweeps.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
const client = (manner: string, ...server: string[]) => fixture('needs-two-faults.js', manner, ...server);

beforeAll(async () => {
  const { command, args } = recorder(cassette, fixture('drifts.js'));
  expect((await run(client('sound', command, ...args))).status).toBe(0);
});

async function sweep(manner: string, ...options: string[]) {
  const { command, args } = client(manner, '{server}');
  return await run(mcpRecord('sweep', '--deadline', '20000', ...options, cassette, '--', command, ...args));
}

async function found(manner: string, ...options: string[]) {
  const { stdout, status } = await sweep(manner, '--json', ...options);
  const { results } = JSON.parse(stdout.toString()) as Found;
  return { status, verdicts: new Map(results.map(({ point, verdict }) => [point.name, verdict])) };
}

describe('two faults in a run', () => {
  it.each([
    ['crashes-at-a-second-failure', 'error-reply', 'error-reply@2+error-reply@3', 'crashed'],
    ['crashes-at-repeats', 'duplicate', 'duplicate@2+duplicate@3', 'crashed'],
    // All pairs of these would take a minute: the client waits for five seconds in most of them.
    ['lies-after-a-failure', 'error-reply,drop', 'error-reply@2+drop@4', 'lied', ['--point', 'error-reply@2+drop@4']],
  ])(
    'find a client that %s, which no single one does',
    async (manner, faults, pair, verdict, which = ['--pairs', '100']) => {
      const alone = await found(manner, '--faults', faults);
      expect([...new Set(alone.verdicts.values())].every((one) => one === 'passed' || one === 'reported')).toBe(true);
      const { status, verdicts } = await found(manner, '--faults', faults, ...which);
      expect(verdicts.get(pair)).toBe(verdict);
      expect(status).toBe(1);
    },
  );

  it('say with which command a finding is repeated', async () => {
    const { stdout, status } = await sweep('crashes-at-repeats', '--faults', 'duplicate', '--pairs', '100');
    const text = stdout.toString();
    expect(text).toMatch(/^all \d+ pairs\n\ncrashed duplicate@\d\+duplicate@\d: /);
    expect(text).toContain('two answers that nobody waits for');
    expect(status).toBe(1);
    const [, name = ''] = /again: mcp-record sweep --point (\S+) --deadline 20000 /.exec(text)!;
    const again = await found('crashes-at-repeats', '--point', name);
    expect([...again.verdicts]).toEqual([[name, 'crashed']]);
    expect(again.status).toBe(1);
  });

  it('find a client that hangs', async () => {
    const pair = ['--point', 'junk@2+drop@3', '--deadline', '12000'];
    const { verdicts } = await found('hangs-after-junk', ...pair);
    expect([...verdicts]).toEqual([['junk@2+drop@3', 'hung']]);
  });

  it('say nothing of a sound client', async () => {
    const { status, verdicts } = await found(
      'sound',
      '--faults',
      'error-reply,duplicate,junk',
      '--pairs',
      '12',
      '--seed',
      '3',
    );
    expect(status).toBe(0);
    // Without an answer to initialize it gives up.
    expect([...new Set(verdicts.values())].sort()).toEqual(['passed', 'unreached']);
    expect(verdicts.size).toBe(12);
  });

  it('find a fault that is enough alone, once, with the command that repeats it', async () => {
    const report = join(folder, 'junit.xml');
    const options = ['--faults', 'error-reply,junk', '--pairs', '100', '--junit', report];
    const { stdout, status } = await sweep('crashes-at-a-failure', ...options);
    const text = stdout.toString();
    expect(status).toBe(1);
    expect(text.match(/^crashed error-reply@3: /gm)).toHaveLength(1);
    expect(text).toContain('again: mcp-record sweep --point error-reply@3 --deadline 20000 ');
    expect(text).toMatch(/ good .*, \d+ bad \(\d+ crashed\), \d+ single$/m);
    const junit = readFileSync(report, 'utf8');
    expect(junit).toMatch(/<testcase [^>]*name="error-reply@3 [^>]*>\s*<failure/);
    expect(junit).toMatch(/<testcase [^>]*name="junk@2\+error-reply@3 [^>]*>\s*<skipped/);
    const single = await found('crashes-at-a-failure', '--point', 'junk@2+error-reply@3');
    expect([...single.verdicts]).toEqual([
      ['error-reply@3', 'crashed'],
      ['junk@2+error-reply@3', 'single'],
    ]);
    expect(single.status).toBe(1);
  });

  it('find a fault that ends the client badly before the second one', async () => {
    const { status, verdicts } = await found('crashes-at-a-failure', '--point', 'error-reply@2+error-reply@4');
    expect([...verdicts]).toEqual([
      ['error-reply@2', 'crashed'],
      ['error-reply@2+error-reply@4', 'single'],
    ]);
    expect(status).toBe(1);
  });

  it('are divided into parts that together are the whole', async () => {
    const options = ['--faults', 'junk', '--pairs', '5'];
    const whole = await found('sound', ...options);
    const parts = [
      await found('sound', ...options, '--shard', '1/2'),
      await found('sound', ...options, '--shard', '2/2'),
    ];
    const names = parts.flatMap(({ verdicts }) => [...verdicts.keys()]);
    expect(names.sort()).toEqual([...whole.verdicts.keys()].sort());
  });
});

describe('pairs are refused', () => {
  it.each([
    ['that are no number', ['--pairs', 'many'], 'USAGE_BAD_SWEEP'],
    ['that are none', ['--pairs', '0'], 'USAGE_BAD_SWEEP'],
    ['of arguments', ['--server', '--inputs', '--pairs', '5'], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['that are too many', ['--pairs', '100001'], 'USAGE_BAD_SWEEP'],
    ['beside a point', ['--pairs', '5', '--point', 'cut@1'], 'USAGE_OPTION_WITHOUT_MEANING'],
    ['with a seed that is none', ['--pairs', '5', '--seed', 'x'], 'USAGE_BAD_SEED'],
    ['of three faults', ['--point', 'drop@1+drop@2+cut@3'], 'USAGE_BAD_SWEEP'],
    ['in the wrong order', ['--point', 'cut@3+drop@2'], 'USAGE_BAD_SWEEP'],
    ['of a message that is not there', ['--point', 'drop@2+cut@99'], 'USAGE_BAD_SWEEP'],
    ['of faults that end the session', ['--faults', 'cut', '--pairs', '5'], 'SWEEP_NO_POINTS'],
    ['where there are fewer than parts', ['--faults', 'junk', '--pairs', '1', '--shard', '2/2'], 'SWEEP_NO_POINTS'],
  ])('%s', async (_, options, code) => {
    const { status, stderr } = await sweep('sound', ...options);
    expect([status, stderr.toString()]).toEqual([2, expect.stringContaining(`[${code}]`)]);
  });

  it('where the client gives up at each first fault: nothing was tested', async () => {
    const options = ['--faults', 'error-reply', '--point', 'error-reply@1+error-reply@4'];
    const { status, stderr } = await sweep('sound', ...options);
    expect([status, stderr.toString()]).toEqual([
      2,
      expect.stringContaining('in none of 1 runs the second fault happened'),
    ]);
  });
});
