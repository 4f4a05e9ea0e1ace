import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS, program } from '../../src/cli/main.ts';
import { manPage } from '../../src/cli/man-page.ts';
import { itOnPosix } from '../support/on-posix.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the manual page', () => {
  // `npx vitest run test/cli/man-page.test.ts -u` writes it anew.
  it('is the one that the package has', async () => {
    await expect(manPage(program(), COMMANDS)).toMatchFileSnapshot(join(root, 'man', 'mcp-record.1'));
  });

  it('has every verb, option and example', () => {
    const page = manPage(program(), COMMANDS).replaceAll('\\-', '-');
    for (const { name, examples } of COMMANDS) {
      expect(page).toContain(`\n.SS ${name} `);
      for (const line of examples) expect(page).toContain(`mcp-record ${line.replaceAll('…', '...')}\n`);
    }
    for (const command of program().commands) for (const { long } of command.options) expect(page).toContain(long);
  });

  it('begins no line with what would be a request', () => {
    const requests = manPage(program(), COMMANDS).match(/^[.'].*/gm)!;
    const known = /^\.(?:TH|SH|SS|TP|B|RI|I|PP|nf|fi)\b/;
    expect(requests.filter((line) => !known.test(line))).toEqual([]);
  });

  itOnPosix('programs by their first line', 'is packed', () => {
    const [{ files }] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        cwd: root,
        encoding: 'utf8',
        stdio: 'pipe',
      }),
    );
    expect(files.map(({ path }: { path: string }) => path)).toContain('man/mcp-record.1');
  });
});

describe('every verb', () => {
  it.each(COMMANDS.map((verb) => [verb.name, verb] as const))(
    '%s shows itself in use, with options that it has',
    (name, verb) => {
      const command = program().commands.find((one) => one.name() === name)!;
      const known = new Set([...command.options.flatMap(({ long, short }) => [long, short]), '--']);
      expect(verb.examples.length).toBeGreaterThan(0);
      for (const line of verb.examples) {
        const [first, ...words] = line.split(' -- ')[0]!.split(' ');
        expect(first).toBe(name);
        expect(words.filter((word) => word.startsWith('-') && word !== '-' && !known.has(word))).toEqual([]);
      }
    },
  );
});
