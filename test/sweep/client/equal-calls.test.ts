import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const call = (id: number) =>
  `- client: { id: ${id}, method: tools/call, params: { name: next, arguments: {} } }
- server: { id: ${id}, result: { content: [{ type: text, text: t${id} }] } }
`;
const CASSETTE = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: s, version: "1" } } }
- client: { method: notifications/initialized }
${[1, 2, 3].map(call).join('')}`;

const newFile = freeNames(temporaryFolder());

/** Faults with which each answer comes. */
const DELIVERING = ['latency:delay=100', 'clog:for=100', 'throttle', 'slice', 'oversize'];

it.each([
  [['--point', 'drop@4'], ['drop@4 hung']],
  [DELIVERING.flatMap((fault) => ['--point', `${fault}@2`]), DELIVERING.map((fault) => `${fault}@2 passed`)],
])('equal calls get the recorded answers in turn: %j', async (points, verdicts) => {
  const file = newFile();
  writeFileSync(file, CASSETTE);
  const { command, args } = fixture('calls-thrice.js', '{server}');
  const options = [...points, '--deadline', '3000', '--json'];
  const swept = mcpRecord('sweep', ...options, file, '--', command, ...args);
  const { stdout, stderr } = await run(swept);
  expect(stderr.toString()).not.toContain('answered with');
  const { results } = JSON.parse(stdout.toString()) as { results: { point: { name: string }; verdict: string }[] };
  expect(results.map(({ point, verdict }) => `${point.name} ${verdict}`)).toEqual(verdicts);
});
