import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import { type Found, PATIENT, sweepsOf } from './sweeps.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');

const { sweep } = sweepsOf(cassette);

describe('the announcement of a sweep', () => {
  it('has the limit of all runs from the start with --deadline, and prints nothing on standard output', async () => {
    const { command, args } = fixture('swept.js', 'fails', '{server}');
    const options = ['--faults', 'duplicate,drop', '--jobs', '1', '--json', '--deadline', '50000'];
    const { stdout, stderr, status } = await run(mcpRecord('sweep', ...options, cassette, '--', command, ...args));
    const said = stderr.replaceAll(/\s+/g, ' ');
    // The first run and four others, each with its deadline and 4 s.
    expect(said).toContain('4 points: 2 faults at 2 messages. Each run may take 50000 ms (--deadline): 5 min at most.');
    expect(said).toMatch(
      /The first run took \d+ ms, and each other may take 50000 ms: about \d+ s in all, and 4 min at most\./,
    );
    expect((JSON.parse(stdout.toString()) as Found).results).toHaveLength(4);
    expect(status).toBeLessThan(2);
  });

  it('says without --deadline that the first run decides', async () => {
    const { command, args } = fixture('swept.js', 'fails', '{server}');
    const { stderr } = await run(mcpRecord('sweep', '--point', 'duplicate@2', cassette, '--', command, ...args));
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain('1 point: 1 fault at 1 message. The first run, without any fault, shows how long');
    const [, first, each] = /The first run took (\d+) ms, and each other may take (\d+) ms:/.exec(said) ?? [];
    expect(Math.abs(Number(each) - Math.max(2000, 10 * Number(first)))).toBeLessThanOrEqual(10);
  });
});

describe('a fault with several parameters', () => {
  it('has a row and points for each, of which one can be repeated', async () => {
    const faults = ['--faults', 'latency:delay=10,latency:20'];
    const { text, status } = await sweep('fails', ...faults, ...PATIENT);
    expect(text).toMatch(/^latency:delay=10 {2}··\nlatency:delay=20 {2}··\n/);
    expect(status).toBe(0);
    const again = await sweep('fails', '--point', 'latency:delay=20@2', ...PATIENT, '--json');
    const { results } = JSON.parse(again.text) as { results: { point: object; verdict: string }[] };
    expect(results).toMatchObject([
      { point: { name: 'latency:delay=20@2', fault: 'latency', params: { delay: 20 } }, verdict: 'passed' },
    ]);
  });
});
