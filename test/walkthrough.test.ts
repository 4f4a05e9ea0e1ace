import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from './support/blocks.ts';
import { temporaryFolder } from './support/tape.ts';

const root = join(import.meta.dirname, '..');
/** Pages as a newcomer has them: their files are written, their commands run, one after the other, in one folder. */
const pages = ['docs/getting-started.md', 'docs/ci.md'];
const blocks = pages
  .flatMap((page) => blocksOf(page, readFileSync(join(root, page), 'utf8')))
  .filter(({ language }) => language !== 'yaml');
const folder = temporaryFolder();
const bin = join(folder, 'node_modules', '.bin');

interface Step {
  command: string;
  status: number;
  /** Lines that its output has, in this order. */
  shown: string[];
}

/** `$ command    # exit status 1`, then what it prints. */
function stepsOf(text: string): Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [line = '', ...shown] = step.split('\n').filter((one) => one !== '');
      const [, command = '', status = 0] = /^(.*?)(?:\s+# exit status (\d+))?$/.exec(line) ?? [];
      return { command, status: Number(status), shown };
    });
}

/** As in a project of somebody's own, with what `npm install` would have put there. */
beforeAll(() => {
  const packages = { 'mcp-record': root };
  for (const name of ['mcp-record', 'vitest', '@modelcontextprotocol/sdk', 'zod']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(packages[name as keyof typeof packages] ?? join(root, 'node_modules', name), link);
  }
  mkdirSync(bin);
  symlinkSync(join(root, 'bin', 'mcp-record.js'), join(bin, 'mcp-record'));
  symlinkSync(join(root, 'node_modules', 'vitest', 'vitest.mjs'), join(bin, 'vitest'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});

describe.each(blocks.map((block) => [block.place, block] as const))('%s', (_, { language, text }) => {
  if (language !== 'console') {
    it('is a file that says its name', () => {
      const [, name = '', content = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? [];
      expect(name).not.toBe('');
      writeFileSync(join(folder, name), content);
    });
    return;
  }
  const steps = stepsOf(text).filter(({ command }) => !command.startsWith('npm '));
  if (steps.length === 0) return it('was done in advance', () => {});
  it.each(steps.map((step) => [step.command, step] as const))('%s', (command, { status, shown }) => {
    const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), NO_COLOR: '1' };
    const ran = spawnSync('bash', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
    const output = ran.stdout + ran.stderr;
    expect(ran.status, output).toBe(status);
    let at = 0;
    for (const line of shown) {
      expect(output.slice(at)).toContain(line);
      at = output.indexOf(line, at) + line.length;
    }
  });
});
