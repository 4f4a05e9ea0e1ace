import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFaultRules } from '../../../src/faults/rules/parse-fault-rules.ts';
import { WEATHER } from '../../mock/control/controlled.ts';
import { blocksOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'stdio-tests.md'), 'utf8');
const blocks = blocksOf('docs/stdio-tests.md', page);
const python = blocks.filter(({ language }) => language === 'python').map(({ text }) => text.trim());

/** The words of the first command of the page, without `mcp-record`. */
const words = blocks[0]!.text.trim().split(' ').slice(2);

/** What a client writes that calls the tool for a city. */
function messages(city: string): string {
  const info = { name: 'app', version: '1' };
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info };
  const sent = [
    { id: 0, method: 'initialize', params: initialize },
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/call', params: { name: 'weather', arguments: { city } } },
  ];
  return sent.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

describe('the page of clients that start their server', () => {
  it.each([
    { city: 'Oslo', status: 0, hasMistake: false },
    { city: 'Atlantis', status: 1, hasMistake: true },
  ])('begins with a command that ends with $status after a call for $city', async ({ city, status, hasMistake }) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'weather.yaml'), WEATHER);
    const ended = await run({ ...mcpRecord(...words), cwd: folder }, messages(city));
    expect(ended.status, ended.stderr).toBe(status);
    const mark = /'([^']*)' not in/.exec(python[2]!)![1]!;
    expect(readFileSync(join(folder, 'findings.jsonl'), 'utf8').includes(mark)).toBe(hasMistake);
  });

  it('shows the fixture and a test of the example', () => {
    const example = readFileSync(join(root, 'examples/pytest/test_over_stdio.py'), 'utf8');
    expect(python).toHaveLength(3);
    for (const text of python.slice(0, 2)) expect(example).toContain(text);
  });

  it('shows a file of faults that can be read', () => {
    const { set, ...faults } = JSON.parse(blocks.find(({ language }) => language === 'text')!.text);
    expect(set).toBe(1);
    const source = { name: 'faults.json', transport: 'stdio' } as const;
    expect(parseFaultRules(faults, source).rules).toHaveLength(1);
  });
});
