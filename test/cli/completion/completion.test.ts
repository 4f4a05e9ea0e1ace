import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { program } from '../../../src/cli/main.ts';
import { FORMATS } from '../../../src/convert/formats.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { describeOnPosix } from '../../support/on-posix.ts';

const folder = temporaryFolder();
const offersScript = join(import.meta.dirname, 'offers.bash');
const script = (shell: string) => {
  const { command, args } = mcpRecord('completion', shell);
  return spawnSync(command, args, { encoding: 'utf8' });
};

describeOnPosix('shell', 'completion in bash', () => {
  beforeAll(() => writeFileSync(join(folder, 'completion.bash'), script('bash').stdout));

  /** What bash offers after these words, the last of which is being typed. */
  function offers(...words: string[]): string[] {
    const args = ['--norc', offersScript, 'completion.bash', 'mcp-record', ...words];
    const said = execFileSync('bash', args, { cwd: folder, encoding: 'utf8' });
    return said.split('\n').filter((line) => line !== '');
  }

  it('offers verbs', () => {
    expect(offers('re')).toEqual(['record', 'replay', 'report', 'redact']);
    expect(offers('')).toEqual([...program().commands.map((command) => command.name()), '--help', '--version']);
  });

  it('offers the options of the verb, and the values of an option', () => {
    expect(offers('show', '--')).toEqual([
      '--follow',
      '--tool',
      '--failed',
      '--stats',
      '--json',
      '--mermaid',
      '--plan',
      '--git',
      '--ignore',
      '--ignore-pattern',
      '--help',
    ]);
    expect(offers('show', '--plan', 's')).toEqual(['server']);
    expect(offers('replay', '--fault', 'thr')).toEqual(['throttle']);
    expect(offers('convert', '--to', '')).toEqual(FORMATS.to);
    expect(offers('convert', '--to', '=')).toEqual(FORMATS.to);
    expect(offers('convert', '--to', '=', 'h')).toEqual(['har']);
    expect(offers('completion', '')).toEqual(['bash', 'zsh', 'fish', '--help']);
  });

  it('leaves files to bash, also after an option that wants one', () => {
    expect(offers('show', 'ta')).toEqual([]);
    expect(offers('record', '-o', '--')).toEqual([]);
  });

  it('offers commands after --, and then nothing of ours', () => {
    expect(offers('record', '-o', 'x', '--', 'printen')).toContain('printenv');
    expect(offers('record', '-o', 'x', '--', 'node', '--')).toEqual([]);
  });
});

/** Shells that are asked what they offer at the end of a line. A machine need not have them. */
const others: [shell: string, options: string[]][] = [
  ['zsh', ['-f']],
  ['fish', ['--no-config']],
];

describe.each(others)('completion in %s', (shell, options) => {
  const file = join(folder, `completion.${shell}`);
  const isThere = spawnSync(shell, ['--version']).status === 0;
  beforeAll(() => writeFileSync(file, script(shell).stdout));
  beforeEach(({ skip }) => skip(!isThere, `there is no ${shell} on this machine`));

  /** What it offers at the end of this line, in the order of the alphabet. */
  function offers(line: string): string[] {
    const args = [...options, join(import.meta.dirname, `offers.${shell}`), file, `mcp-record ${line}`];
    const env = { ...process.env, HOME: folder, TERM: 'dumb' };
    const said = execFileSync(shell, args, { cwd: folder, env, encoding: 'utf8' });
    return said
      .split('\n')
      .filter((word) => word !== '')
      .sort();
  }

  it('offers verbs', () => {
    expect(offers('re')).toEqual(['record', 'redact', 'replay', 'report']);
    expect(offers('')).toEqual(expect.arrayContaining(program().commands.map((command) => command.name())));
  });

  it('offers the options of the verb, and the values of an option', () => {
    expect(offers('show --')).toEqual(['--git', '--help', '--json', '--mermaid', '--plan']);
    expect(offers('show --plan s')).toEqual(['server']);
    expect(offers('replay --fault thr')).toEqual(['throttle']);
    expect(offers('convert --to=h').map((word) => word.replace('--to=', ''))).toEqual(['har']);
    expect(offers('completion ')).toEqual(['bash', 'fish', 'zsh']);
  });

  it('offers files where files may stand', () => {
    for (const line of ['show compl', 'record -o compl', 'report --journal compl'])
      expect(offers(line)).toContain(`completion.${shell}`);
  });

  it('offers commands after --, and then nothing of ours', () => {
    expect(offers('record -o x -- printen')).toContain('printenv');
    expect(offers('record -o x -- printenv --ou')).not.toContain('--output');
    expect(offers('record -o show -- printenv --js')).not.toContain('--json');
  });
});

describe('completion in zsh and fish', () => {
  it.each(['zsh', 'fish'])('%s knows every verb and option', (shell) => {
    const { stdout, status } = script(shell);
    expect(status).toBe(0);
    for (const command of program().commands) {
      expect(stdout).toContain(command.name());
      for (const { long } of command.options)
        expect(stdout).toContain(shell === 'fish' ? `-l ${long!.slice(2)}` : long);
    }
  });

  it('quotes what people read', () => {
    expect(script('fish').stdout).toContain(
      String.raw`-d '\'Name: value\' for every request`.replace("-d '", "-d 'with --http: "),
    );
    expect(script('zsh').stdout).toContain(String.raw`'--header:with --http\: '\''Name\: value'\'' for every request`);
  });
});

it('says for which shells there is a script', () => {
  const { stderr, status } = script('basch');
  expect(stderr).toContain('Did you mean "bash"?');
  expect(status).toBe(2);
});
