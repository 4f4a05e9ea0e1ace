import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../../../src/scenario/scenario-reader.ts';
import { fixture } from '../../../support/process.ts';
import {
  client,
  folder,
  listed,
  newFolder,
  ofServer,
  PATIENT,
  play,
  recorded,
  server,
  shrink,
  threeCities,
} from './shrinking.ts';

describe('shrink', () => {
  it('goes on from its own scenario, and begins with one that has a single fault', async () => {
    const [small, smaller] = [newFolder(), newFolder()];
    const scenario = join(folder, 'by-hand.yaml');
    const rule = '{ do: error-reply, when: { from: server, after: 1 }, times: 1 }';
    writeFileSync(
      scenario,
      `cassette: ${recorded}\nplay: server\ndeadline: 60000\nfaults:\n- ${rule}\nexpect:\n- exit: 1\n`,
    );
    const first = await shrink(['--budget', '1', '-o', small, scenario], client('crashes'));
    expect([first.stdout.toString(), first.status]).toEqual([expect.stringContaining('a larger --budget'), 0]);
    const second = await shrink(['--budget', '40', '-o', smaller, join(small, 'scenario.yaml')], client('crashes'));
    expect([second.stdout.toString(), second.status]).toEqual([expect.stringMatching(/^5 of \d+ messages left/m), 0]);
  });

  it('leaves the deadline that it measured out of the scenario, unless the default is shorter: another machine may be slower', async () => {
    const small = newFolder();
    const options = ['--point', 'error-reply@2', '--budget', '1', '-o', small];
    expect((await shrink([...options, recorded], client('crashes'))).status).toBe(0);
    const written = readFileSync(join(small, 'scenario.yaml'), 'utf8');
    expect(written).toMatch(/^# Found with: mcp-record shrink .*--point error-reply@2 .* -- .*\{server\}/);
    const [, measured] = /\npoint: error-reply@2\n(?:deadline: (\d+)\n)?expect:\n/.exec(written)!;
    // A client that took seconds without any fault, on a loaded machine, has a longer deadline than the default.
    expect(Number(measured ?? Number.POSITIVE_INFINITY)).toBeGreaterThan(DEFAULTS.deadline);
  });

  it('does the same for two faults: the scenario fails until it takes none of them', async () => {
    const small = newFolder();
    const options = ['--server', '--point', 'junk@3+not-json@9', '--budget', '4', '-o', small];
    const { stdout, stderr, status } = await shrink([...options, ofServer], server('dies-of-two-bad-lines'));
    expect([stderr, status]).toEqual([expect.any(String), 0]);
    const [, point = ''] = /^crashed (junk@\d\+not-json@\d): /.exec(stdout.toString())!;
    const scenario = join(small, 'scenario.yaml');
    expect(readFileSync(scenario, 'utf8')).toContain(`\npoint: ${point}\n`);
    const [failing, alone, mended] = await Promise.all(
      [['dies-of-two-bad-lines'], ['dies-of-no-json'], []].map((bug) => play(scenario, server(...bug))),
    );
    expect([failing!.stdout.toString(), failing!.status]).toEqual([
      expect.stringContaining('verdict: crashed: its'),
      1,
    ]);
    const why = expect.stringMatching(/single: junk@\d alone is crashed/);
    expect([alone!.stdout.toString(), alone!.status]).toEqual([why, 1]);
    expect([mended!.stdout.toString(), mended!.status]).toEqual([expect.stringMatching(/^✓ junk@/), 0]);
    const again = newFolder();
    const smaller = await shrink(['--budget', '1', '-o', again, scenario], server('dies-of-no-json'));
    expect([smaller.stderr, smaller.status]).toEqual([expect.stringContaining('its verdict is single'), 2]);
  });

  it('does the same for two faults of a recorded server', async () => {
    const small = newFolder();
    const bad = fixture('needs-two-faults.js', 'crashes-at-repeats', '{server}');
    const pair = ['--point', 'duplicate@2+duplicate@3', '--budget', '1', ...PATIENT, '-o', small];
    const { stderr, status } = await shrink([...pair, threeCities], bad);
    expect([stderr, status]).toEqual([expect.any(String), 0]);
    const scenario = join(small, 'scenario.yaml');
    const plays = ['crashes-at-repeats', 'sound'].map((manner) =>
      play(scenario, fixture('needs-two-faults.js', manner, '{server}')),
    );
    const [failing, mended] = await Promise.all(plays);
    expect([failing!.stdout.toString(), failing!.status]).toEqual([
      expect.stringContaining('verdict: crashed: Error at'),
      1,
    ]);
    expect([mended!.stdout.toString(), mended!.status]).toEqual([expect.stringMatching(/^✓ duplicate@2/), 0]);
  });

  it('does the same for arguments of a tool, with the options of the sweep', async () => {
    const small = newFolder();
    const dies = [
      "const lines = require('node:readline').createInterface({ input: process.stdin });",
      "const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));",
      "const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };",
      "lines.on('line', (line) => { const { id, method, params } = JSON.parse(line); if (id === undefined) return;",
      "if (params?.name === 'say' && typeof params.arguments?.text !== 'string') process.exit(3);",
      "say(id, method === 'initialize' ? opened : { content: [] }); });",
    ].join(' ');
    const program = { command: process.execPath, args: ['-e', dies] };
    const options = ['--server', '--inputs', '--seed', '1', '--point', 'missing-required@say', '--budget', '20'];
    const { stdout, stderr, status } = await shrink([...options, '-o', small, listed], program);
    expect([stderr, status]).toEqual([expect.any(String), 0]);
    expect(stdout.toString()).toMatch(/^crashed missing-required@say: tools\/call "say"\n {4}its process ended with 3/);
    expect(stdout.toString()).toMatch(/^5 of 21 messages left/m);
    expect(readFileSync(join(small, 'scenario.yaml'), 'utf8')).toContain('seed: 1\n');
    expect((await play(join(small, 'scenario.yaml'), program)).status).toBe(1);
  });
});
