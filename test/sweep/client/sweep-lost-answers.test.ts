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
