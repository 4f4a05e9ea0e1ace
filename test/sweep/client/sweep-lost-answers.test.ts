import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import { type Found, PATIENT } from './sweeps.ts';

const folder = temporaryFolder();

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

describe('a client over HTTP whose answer breaks off', () => {
  const session = (place = (_exchange: number) => '') => `events:
- client: { id: 0, method: initialize, params: {} }${place(1)}
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: calls, version: "1" } } }${place(1)}
- client: { method: notifications/initialized }${place(2)}
- client: { id: 1, method: tools/call, params: { name: call-1 } }${place(3)}
- server: { id: 1, result: { content: [{ type: text, text: call-1 }] } }${place(3)}
`;
  const onStreams = (exchange: number) => `\n  stream: ${exchange}`;

  // Clients of the SDK notice at once that a JSON body breaks off, and do not notice it of an event stream.
  it.each([
    ['waits for it, as at a server of the SDK', 'recorded over stdio', session(), 'Request timed out'],
    ['notices it in the JSON body', 'of such bodies', `transport: http\n${session(onStreams)}`, 'terminated'],
  ])('%s, at a cassette %s', async (_, name, rest, error) => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, `format: mcp-record/1\n${rest}`);
    const { command, args } = fixture('swept-sdk.js', '1', '{url}');
    const words = ['--http', '--json', '--point', 'truncate@2', ...PATIENT];
    const { stdout } = await run({
      ...mcpRecord('sweep', ...words, file, '--', command, ...args),
      env: { PATIENCE: '5000' },
    });
    const { results } = JSON.parse(stdout.toString()) as { results: { verdict: string; stderrTail: string }[] };
    expect(results).toMatchObject([{ verdict: 'reported', stderrTail: expect.stringContaining(error) }]);
  });
});
