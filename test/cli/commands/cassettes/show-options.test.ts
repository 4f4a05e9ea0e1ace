import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../../support/blocks.ts';
import { mcpRecord } from '../../../support/command.ts';
import { showCommand, TAPE } from './show-command.ts';

const { folder, file, setEnvironment, show } = showCommand();

describe('mcp-record show', () => {
  it('prints calls of a tool alone, those that failed, and their statistics', () => {
    const two = TAPE.replace(
      '- end: complete\n',
      `- client: {id: 1, method: tools/call, params: {name: deploy}}
- server: {id: 1, error: {code: -32000, message: nobody is there}}
- end: complete
`,
    );
    writeFileSync(join(folder, 'two.yaml'), two);
    const whats = (...args: string[]) =>
      JSON.parse(show('two.yaml', '--json', ...args).stdout).rows.map(({ what }: { what: string }) => what);
    expect(whats('--tool', 'add')).toEqual(['tools/call "add"', 'result']);
    expect(whats('--failed')).toEqual(['tools/call "deploy"', 'error -32000']);
    expect(whats('--failed', '--tool', 'add')).toEqual([]);
    expect(show('two.yaml', '--stats').stdout.split('\n')).toEqual([
      expect.stringMatching(/^calls +errors .* what$/),
      expect.stringMatching(/^ +1 +400 +400 +400 +58 +→ tools\/call "add"$/),
      expect.stringMatching(/^ +1 +1 +0 +0 +0 +60 +→ tools\/call "deploy"$/),
      '',
    ]);
    const { stderr, status } = show('two.yaml', '--tool', 'ad');
    expect([stderr, status]).toEqual([expect.stringMatching(/USAGE_NOT_IN_CASSETTE[\s\S]*Did you mean "add"\?/), 2]);
  });

  it('--stats takes a folder', () => {
    const { stdout } = show('.', '--stats', '--json');
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ what: 'tools/call "add"', from: 'client' }));
    expect(show('.').stderr).toContain('CASSETTE_IS_DIRECTORY');
  });

  it.each([
    ['server', 'replay-order.md'],
    ['client', 'replay-client.md'],
  ])('--plan %s prints the plan that docs/%s shows', (side, page) => {
    const docs = join(import.meta.dirname, '..', '..', '..', '..', 'docs');
    const blockOf = (name: string, kind: string) =>
      blocksOf(name, readFileSync(join(docs, name), 'utf8')).find(({ language }) => language === kind)!.text;
    writeFileSync(join(folder, 'overlap.yaml'), blockOf('replay-order.md', 'yaml'));
    const { stdout } = show('--plan', side, 'overlap.yaml');
    expect(`$ mcp-record show --plan ${side} overlap.yaml\n${stdout}`).toBe(blockOf(page, 'console'));
  });

  it('keeps to the columns it is given', () => {
    setEnvironment({ COLUMNS: '40' });
    const lines = show('cassette.yaml').stdout.split('\n');
    expect(lines[3]).toBe('   5    0.000  400 ms     74  → tools/c…');
  });

  it('says of a cassette that was cut off what is missing, and shows the rest', () => {
    writeFileSync(join(folder, 'torn.yaml'), TAPE.replace('- end: complete\n', '- server:\n    id'));
    const { stdout, stderr, status } = show('torn.yaml');
    expect(stdout).toContain('· cut off');
    expect(stdout).toContain('tools/call "add"');
    expect(stderr).toContain('torn.yaml:19');
    expect(status).toBe(0);
  });

  it('--stats says that a cassette was cut off, or has no requests', () => {
    writeFileSync(join(folder, 'torn.yaml'), TAPE.replace('- end: complete\n', '- server:\n    id'));
    expect(show('torn.yaml', '--stats').stderr).toContain('torn.yaml:19');
    writeFileSync(join(folder, 'bare.yaml'), 'format: mcp-record/1\nevents: []\n');
    expect(show('bare.yaml', '--stats').stderr).toBe('mcp-record: bare.yaml has no requests\n');
    for (const name of ['torn.yaml', 'bare.yaml']) rmSync(join(folder, name));
  });

  it('is not troubled by a reader that has seen enough', async () => {
    const message = { id: 1, method: 'tools/call', params: { name: 'x'.repeat(100) } };
    const events = `- client: ${JSON.stringify(message)}\n`.repeat(20_000);
    writeFileSync(join(folder, 'long.yaml'), `format: mcp-record/1\ntransport: stdio\nevents:\n${events}`);
    const { command, args } = mcpRecord('show', 'long.yaml');
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [status] = await once(child, 'close');
    expect([errors, status]).toEqual(['', 0]);
  });
});

it('--mermaid prints a diagram that pull requests draw', () => {
  const { command, args } = mcpRecord('show', '--mermaid', file);
  const { stdout, status } = spawnSync(command, args, { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^sequenceDiagram\n[\s\S]*tools\/call/);
});
