import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import { SAVED, THREE_CALLS } from './concurrent-calls.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
const scenario = join(folder, 'scenario.yaml');
writeFileSync(scenario, 'cassette: cassette.yaml\nplay: server\npoint: order@3,2\nexpect: [{ verdict: good }]\n');
writeFileSync(cassette, THREE_CALLS);
const saved = join(folder, 'saved.yaml');
writeFileSync(saved, SAVED);

it('a client that takes answers by arrival fails in another order', async () => {
  const { command, args } = fixture('concurrent-calls.js', 'by-arrival', '1', '{server}');
  const swept = await run(mcpRecord('sweep', '--point', 'order@3,2', cassette, '--', command, ...args));
  expect([swept.status, swept.stdout.toString()]).toEqual([
    1,
    expect.stringContaining(
      'failed order@3,2: answer to tools/call "weather" (city: "Rome") before answer to tools/call "weather" (city: "Oslo") of line 9',
    ),
  ]);
  expect((await run(mcpRecord('run', scenario, '--', command, ...args))).status).toBe(1);
});

it('a client that passes with a call that the cassette does not have is named in a sweep of faults', async () => {
  const { command, args } = fixture('concurrent-calls.js', 'saves-by-arrival', '1', '{server}');
  const swept = await run(mcpRecord('sweep', '--point', 'reorder@2', saved, '--', command, ...args));
  expect([swept.status, swept.stdout.toString()]).toEqual([
    0,
    expect.stringContaining(
      'It passed, but sent requests that the cassette does not have: reorder@2. Did it take a damaged answer? reorder@2: Cannot answer tools/call "save"',
    ),
  ]);
});
