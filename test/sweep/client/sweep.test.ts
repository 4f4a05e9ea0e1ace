import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import { CUTS, type Found, PATIENT, sweepsOf } from './sweeps.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');

const { sweep } = sweepsOf(cassette);

describe('a sweep of a client that', () => {
  it('names the bad points, what they are, and where', async () => {
    const { text } = await sweep('lies', ...CUTS, ...PATIENT);
    expect(text).toContain(`lied cut@2: answer to tools/call "weather"  (${cassette}:`);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'No verdict sees a client that swallows an error (error-reply, isError)',
    );
  });
});

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

describe('a client over HTTP that loses an answer', () => {
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

describe('a client that does not answer a cancelled request of the server', () => {
  const asking = join(folder, 'asking.yaml');
  writeFileSync(
    asking,
    `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: asks, version: "1" } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: say } }
- server: { id: 5, method: roots/list }
- client: { id: 5, result: { roots: [] } }
- server: { id: 1, result: { content: [] } }
`,
  );

  it.each([
    ['stdio', [], ['{server}']],
    ['HTTP', ['--http'], ['{url}']],
  ])('passes over %s', async (_, options, address) => {
    const { command, args } = fixture('lists-roots-slowly.js', ...address);
    const words = mcpRecord('sweep', ...options, '--faults', 'cancel', ...PATIENT, asking, '--', command, ...args);
    const { stdout, status } = await run(words);
    expect([status, stdout.toString()]).toEqual([0, expect.stringContaining('1 good (1 passed), 0 bad')]);
    expect(stdout.toString()).toMatch(/^The deadline of each run was \d+ ms \(set with --deadline\)\.$/m);
  });
});
