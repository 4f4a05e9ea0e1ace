/** `--findings` of `replay`, as a process. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WEATHER } from '../../../mock/control/controlled.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'weather.yaml');
writeFileSync(cassette, WEATHER);

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'app', version: '1' } },
};
const stray = { jsonrpc: '2.0', id: 9, result: {} };
const other = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather', arguments: { city: 'Bern' } } };

it.each([
  ['without an option, a miss', [], ['miss']],
  ['with --on-difference fail, an answer that nobody asked, too', ['--on-difference', 'fail'], ['miss', 'stray']],
  ['with --strict, a call that never came, too', ['--strict'], ['miss', 'stray', 'unused']],
])('%s says that it fails the run', async (_, options, failing) => {
  const findings = join(folder, `${failing.length}.jsonl`);
  const input = [initialize, stray, other].map((message) => `${JSON.stringify(message)}\n`).join('');
  const { status } = await run(mcpRecord('replay', ...options, '--findings', findings, cassette), input);
  expect(status).toBe(1);
  const lines = readFileSync(findings, 'utf8').trimEnd().split('\n');
  const found = lines.map((line) => JSON.parse(line) as { kind?: string; fails?: true });
  expect([...new Set(found.filter(({ fails }) => fails).map(({ kind }) => kind))].sort()).toEqual(failing);
  expect(found.flatMap(({ kind = [] }) => kind)).toEqual(expect.arrayContaining(['stray', 'miss', 'unused']));
});
