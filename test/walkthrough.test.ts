import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf } from './support/blocks.ts';
import { temporaryFolder } from './support/cassette.ts';
import { projectIn } from './support/project.ts';

const root = join(import.meta.dirname, '..');
/** Pages as a newcomer has them: their files are written, their commands run, one after the other, in one folder. */
const pages = ['docs/getting-started.md', 'docs/ci.md', 'docs/ci-recipes.md', 'docs/ci-reference.md'];
const blocks = pages
  .flatMap((page) => blocksOf(page, readFileSync(join(root, page), 'utf8')))
  .filter(({ language }) => language !== 'yaml' && language !== 'sh');
const { folder, env } = projectIn(temporaryFolder(), ['vitest', '@modelcontextprotocol/sdk', 'zod'], {
  vitest: 'vitest/vitest.mjs',
});

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
