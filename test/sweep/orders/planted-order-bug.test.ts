import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
const scenario = join(folder, 'scenario.yaml');
writeFileSync(scenario, 'cassette: cassette.yaml\nplay: server\npoint: order@3,2\nexpect: [{ verdict: good }]\n');
writeFileSync(
  cassette,
  `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: app, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: 1.0.0 } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- client: { id: 2, method: tools/call, params: { name: weather, arguments: { city: Rome } } }
- client: { id: 3, method: tools/call, params: { name: weather, arguments: { city: Lima } } }
- server: { id: 1, result: { content: [{ type: text, text: 'Oslo: sunny' }] } }
- server: { id: 2, result: { content: [{ type: text, text: 'Rome: sunny' }] } }
- server: { id: 3, result: { content: [{ type: text, text: 'Lima: sunny' }] } }
`,
);

it.each([
  [
    'by-arrival',
    [
      1,
      'failed order@3,2: answer to tools/call "weather" (city: "Rome") before answer to tools/call "weather" (city: "Oslo") of line 9',
    ],
  ],
  ['sound', [0, '1 good (1 passed)']],
] as const)('a client that takes answers %s, in another order', async (manner, [status, text]) => {
  const { command, args } = fixture('concurrent-calls.js', manner, '1', '{server}');
  const swept = await run(mcpRecord('sweep', '--point', 'order@3,2', cassette, '--', command, ...args));
  expect([swept.status, swept.stdout.toString()]).toEqual([status, expect.stringContaining(text)]);
  expect((await run(mcpRecord('run', scenario, '--', command, ...args))).status).toBe(status);
});
