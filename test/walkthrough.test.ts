import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, WALKED_PAGES } from './support/blocks.ts';
import { temporaryFolder } from './support/cassette.ts';
import { projectIn } from './support/project.ts';

const root = join(import.meta.dirname, '..');
/** Pages as a newcomer has them: their files are written, their commands run, one after the other, in one folder. */
const blocks = WALKED_PAGES.flatMap((page) => blocksOf(page, readFileSync(join(root, page), 'utf8'))).filter(
  ({ language }) => language !== 'yaml' && language !== 'sh',
);
const { folder, env } = projectIn(temporaryFolder(), ['vitest', '@modelcontextprotocol/sdk', 'zod'], {
  vitest: 'vitest/vitest.mjs',
});

/** Pages that show lines as they are printed, and mark what they leave out with `…`. The others show parts of lines. */
const SHOWS_WHOLE_LINES = /^docs\/(?:getting-started|test-client|analyze-a-bug)\.md:/;

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

/** A printed line without colours, and without what differs from run to run: times, and the numbers of lines and seeds. */
function shapeOf(line: string): string {
  // The SDK in the folder is minified: its classes have other names.
  return stripVTControlCharacters(line)
    .replace(/^\w+ \[McpError\]: /, 'McpError: ')
    .replaceAll(/\d+(?:\.\d+)? ?(m?s)\b/g, '# $1')
    .replace(/^ *\d+ +\d+\.\d+ .*?(?=[→←])/, '# ')
    .replaceAll(/(line|seed|\.yaml:|result for) ?\d+/g, '$1 #')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Reports whether a printed line is the one that is shown. `…` stands for any text. */
function isShown(line: string, shown: string): boolean {
  const parts = shapeOf(shown)
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(shapeOf(line));
}

const isFile = ({ language }: Block) => language !== 'console' && language !== 'text';

describe.each(blocks.map((block) => [block.place, block] as const))('%s', (place, block) => {
  const { language, text } = block;
  if (isFile(block)) {
    it('is a file that says its name', () => {
      // A file of JSON has no comments. The pages show one: the configuration of a client.
      const file = language === 'json' ? `// .mcp.json\n${text}` : text;
      const [, name = '', content = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(file) ?? [];
      expect(name).not.toBe('');
      writeFileSync(join(folder, name), content);
    });
    return;
  }
  const steps = stepsOf(text).filter(({ command }) => !command.startsWith('npm '));
  if (language === 'text') {
    it.each(steps.map((step) => [step.command, step] as const))('shows what is run later: %s', (_, step) => {
      const later = blocks.filter((one) => one.language === 'console').flatMap((one) => stepsOf(one.text));
      expect(later).toContainEqual(step);
    });
    return;
  }
  if (steps.length === 0) return it('was done in advance', () => {});
  it.each(steps.map((step) => [step.command, step] as const))('%s', (command, { status, shown: onTerminal }) => {
    const shown = onTerminal.map(withoutCount);
    const ran = spawnSync('bash', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
    const output = ran.stdout + ran.stderr;
    expect(ran.status, output).toBe(status);
    if (SHOWS_WHOLE_LINES.test(place)) return showsWholeLines(output, shown);
    let at = 0;
    for (const line of shown) {
      expect(output.slice(at)).toContain(line);
      at = output.indexOf(line, at) + line.length;
    }
  });
});

/** Returns what a recorder prints that redacted nothing and has no terminal: it counts the calls for a terminal alone. */
function withoutCount(line: string): string {
  return line.replace(/^mcp-record: \d+ calls?, nothing redacted/, 'mcp-record: nothing redacted');
}

/** Fails where the lines of an output are not those that are shown. A line `…` stands for any number of lines. */
function showsWholeLines(output: string, shown: readonly string[]): void {
  if (shown.length === 0) return;
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  let next = 0;
  let mayLeaveOut = false;
  for (const line of shown) {
    if (line.trim() === '…') {
      mayLeaveOut = true;
      continue;
    }
    const at = lines.findIndex((one, index) => index >= next && isShown(one, line));
    expect(at, `${line}\nis not in\n${output}`).not.toBe(-1);
    if (!mayLeaveOut) expect(lines.slice(next, at), `is left out without "…" before: ${line}`).toEqual([]);
    next = at + 1;
    mayLeaveOut = false;
  }
  if (!mayLeaveOut) expect(lines.slice(next), 'is left out without "…" at the end').toEqual([]);
}
