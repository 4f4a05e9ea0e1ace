import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDirectory, notFound } from '../../../src/cassette/cassette-errors.ts';
import { withFolderAdvice } from '../../../src/cli/cassette-files/folder-instead-of-cassette.ts';
import { program } from '../../../src/cli/main.ts';
import type { McpRecordError } from '../../../src/kernel/errors.ts';
import { shellWord } from '../../../src/text-report/shell-word.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const folder = temporaryFolder();
const write = (...path: string[]) => {
  mkdirSync(join(folder, ...path.slice(0, -1)), { recursive: true });
  writeFileSync(join(folder, ...path), 'format: mcp-record/1\nevents: []\n');
};
write('flat', 'a.yaml');
write('nested', 'a.test.ts', 'b.yaml');
write('hidden', '.git', 'a.yaml');
write('named', 'a.yaml', 'README.md');
write('my tests', 'a.yaml');

/** Returns the advice for a folder that a command line names. */
function advice(words: readonly string[], file: string): string {
  const command = program().commands.find((one) => one.name() === words[0])!;
  command.action(() => {});
  command.parse([...words.slice(1), file], { from: 'user' });
  const error = withFolderAdvice(isDirectory(file), { command, file });
  expect(error).toMatchObject({ code: 'CASSETTE_IS_DIRECTORY', problem: { why: 'it is a directory' } });
  return (error as McpRecordError).problem.next;
}

describe('the advice for a folder', () => {
  it.each<[name: string, path: string, pattern: string]>([
    ['flat', 'flat', '*.yaml'],
    ['with a slash', 'flat/', '*.yaml'],
    ['of folders, as tests have', 'nested', '*/*.yaml'],
  ])('is the command with a pattern: %s', (_name, path, pattern) => {
    const word = shellWord(`${folder}/${path.replace('/', '')}`);
    expect(advice(['lint'], `${folder}/${path}`)).toBe(`Name the cassettes in it: mcp-record lint ${word}/${pattern}`);
  });

  it('quotes the folder, and not the pattern', () => {
    expect(advice(['lint'], `${folder}/my tests`)).toContain(` '${folder}/my tests'/*.yaml`);
  });

  it('keeps the options, without which a check would pass what it should not', () => {
    const words = ['redact', '--check', '--redact-pattern', 'E-\\d+', '--redact-key', 'a', '--redact-key', 'b'];
    expect(advice(words, `${folder}/flat`)).toBe(
      `Name the cassettes in it: mcp-record redact --redact-key a --redact-key b --redact-pattern 'E-\\d+' --check ${shellWord(`${folder}/flat`)}/*.yaml`,
    );
  });

  it.each(['hidden', 'named', 'nested/none'])('is no pattern that would match nothing: %s', (path) => {
    mkdirSync(join(folder, path), { recursive: true });
    expect(advice(['lint'], `${folder}/${path}`)).toMatch(/^It has no cassette\. Check/);
  });

  it('leaves other errors alone', () => {
    const command = program().commands.find((one) => one.name() === 'lint')!;
    for (const error of [notFound('a.yaml'), new Error('x'), 'x'])
      expect(withFolderAdvice(error, { command, file: 'a.yaml' })).toBe(error);
  });

  it.each([['report']])('is that of %s %s', async (...words) => {
    const { stderr, status } = await run(mcpRecord(...words, `${folder}/flat`));
    expect(status).toBe(2);
    expect(stderr).toContain(
      `[CASSETTE_IS_DIRECTORY]\n  Name the cassettes in it: mcp-record ${words.join(' ')} ${shellWord(`${folder}/flat`)}/*.yaml\n`,
    );
  });
});
