import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import { SAVED, THREE_CALLS } from './concurrent-calls.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
writeFileSync(cassette, THREE_CALLS);
const saved = join(folder, 'saved.yaml');
writeFileSync(saved, SAVED);
const scenarioOf = (transport: string) =>
  `cassette: saved.yaml\nplay: server\ntransport: ${transport}\npoint: order@3,2\nexpect: [{ verdict: good }]\n`;
const MISS =
  'it sent a request that the cassette does not have: Cannot answer tools/call "save": no recorded call matches';

describe.each(['stdio', 'http'])('a client over %s that hides a failed call', (transport) => {
  const http = transport === 'http';
  const options = http ? ['--http'] : [];
  const client = (manner: string) => fixture('concurrent-calls.js', manner, '1', http ? '{url}' : '{server}');

  it('fails in an order in which the call is another one', async () => {
    const { command, args } = client('saves-by-arrival');
    const sweep = async (...more: string[]) =>
      await run(mcpRecord('sweep', ...options, '--point', 'order@3,2', ...more, saved, '--', command, ...args));
    const swept = await sweep();
    expect([swept.status, swept.stdout.toString()]).toEqual([1, expect.stringContaining(`failed order@3,2: `)]);
    expect(swept.stdout.toString()).toContain(MISS);
    const { results } = JSON.parse((await sweep('--json')).stdout.toString());
    expect(results[0]).toMatchObject({ verdict: 'failed', status: 0, misses: [expect.stringContaining('"save"')] });
    const file = join(folder, `${transport}.yaml`);
    writeFileSync(file, scenarioOf(transport));
    const played = await run(mcpRecord('run', file, '--', command, ...args));
    expect([played.status, played.stdout.toString()]).toEqual([1, expect.stringContaining(MISS)]);
  });

  it('passes if the call is missing in the recorded order, too, which is said', async () => {
    const { command, args } = client('saves-all');
    const swept = await run(mcpRecord('sweep', ...options, '--point', 'order@3,2', saved, '--', command, ...args));
    expect([swept.status, swept.stdout.toString()]).toEqual([0, expect.stringContaining('1 good (1 passed)')]);
    const said =
      'without any fault, too, the client sends a request that the cassette does not have: Cannot answer tools/call "save"';
    expect(swept.stderr.toString()).toContain(said);
    const faults = await run(mcpRecord('sweep', ...options, '--point', 'duplicate@2', saved, '--', command, ...args));
    expect([faults.status, faults.stderr.toString()]).toEqual([0, expect.stringContaining(said)]);
    expect(faults.stdout.toString()).not.toContain('sent a request that the cassette does not have');
    const file = join(folder, `${transport}-all.yaml`);
    writeFileSync(file, scenarioOf(transport));
    const played = await run(mcpRecord('run', file, '--', command, ...args));
    expect([played.status, played.stdout.toString()]).toEqual([
      0,
      expect.stringContaining(
        'the client sent a request that the cassette does not have: Cannot answer tools/call "save"',
      ),
    ]);
  });
});

it('a client that takes answers by their ids passes in another order', async () => {
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(scenario, 'cassette: cassette.yaml\nplay: server\npoint: order@3,2\nexpect: [{ verdict: good }]\n');
  const { command, args } = fixture('concurrent-calls.js', 'sound', '1', '{server}');
  const swept = await run(mcpRecord('sweep', '--point', 'order@3,2', cassette, '--', command, ...args));
  expect([swept.status, swept.stdout.toString()]).toEqual([0, expect.stringContaining('1 good (1 passed)')]);
  expect((await run(mcpRecord('run', scenario, '--', command, ...args))).status).toBe(0);
});

it('a sweep of faults points to the orders of requests that were in flight at once', async () => {
  const { command, args } = fixture('concurrent-calls.js', 'sound', '1', '{server}');
  const sweep = async (file: string) =>
    await run(mcpRecord('sweep', '--faults', 'duplicate', file, '--', command, ...args));
  expect((await sweep(cassette)).stdout.toString()).toContain('has requests in flight at once. Let their answers come');
  const alone = join(folder, 'alone.yaml');
  const lines = readFileSync(cassette, 'utf8').split('\n');
  writeFileSync(alone, [...lines.slice(0, 6), lines[8], lines[6], lines[9], lines[7], lines[10], ''].join('\n'));
  const one = fixture('concurrent-calls.js', 'one-at-a-time', '1', '{server}');
  const swept = await run(mcpRecord('sweep', '--faults', 'duplicate', alone, '--', one.command, ...one.args));
  expect(swept.stdout.toString()).toContain('good (');
  expect(swept.stdout.toString()).not.toContain('in flight');
});
