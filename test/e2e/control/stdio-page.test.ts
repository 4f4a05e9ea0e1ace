import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFaultRules } from '../../../src/faults/rules/parse-fault-rules.ts';
import { WEATHER } from '../../mock/control/controlled.ts';
import { blocksOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { Running, run } from '../../support/process.ts';

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

  it('shows fixtures and tests of the examples', () => {
    const example = (name: string) => readFileSync(join(root, 'examples/pytest', name), 'utf8');
    expect(python).toHaveLength(4);
    for (const text of python.slice(0, 2)) expect(example('test_over_stdio.py')).toContain(text);
    for (const text of python.slice(2)) expect(example('test_with_files.py')).toContain(text);
  });

  itOnPosix('shell', 'shows what the control API answers', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'weather.yaml'), WEATHER.replace(/^.*city: Rome[\s\S]*/m, ''));
    await using server = new Running({
      ...mcpRecord('replay', '--control', '127.0.0.1:0', 'weather.yaml'),
      cwd: folder,
    });
    const control = /http:\S+/.exec(await server.line(server.child.stderr))![0];
    server.child.stdin.write(messages('Oslo'));
    while (!(await server.line()).includes('"id":1')) {}
    const rome = messages('Rome').split('\n').at(-2)!.replace('"id":1', '"id":2').concat('\n');
    const lines = blocks.flatMap(({ text }) => [...text.matchAll(/^\$ (curl .*)\n(.*)/gm)]);
    expect(lines).toHaveLength(3);
    for (const [, line, output] of lines) {
      // Before the findings, the client calls the tool for Rome, as the page says.
      if (line!.endsWith('/findings')) {
        server.child.stdin.write(rome);
        expect(await server.line()).toContain('"snow"');
      }
      const { stdout } = await run({ command: 'bash', args: ['-c', line!.replace('http://127.0.0.1:7357', control)] });
      const parts = output!.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      expect(`${stdout}`).toMatch(new RegExp(`^${parts.join('.*')}\\s*$`));
    }
  });

  it('shows a file of faults that can be read', () => {
    const { set, matches, ...faults } = JSON.parse(blocks.find(({ text }) => text.startsWith('{"set"'))!.text);
    expect([set, matches]).toEqual([1, 'faults.matches']);
    const source = { name: 'faults.json', transport: 'stdio' } as const;
    expect(parseFaultRules(faults, source).rules).toHaveLength(1);
  });
});
