import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { run } from '../support/process.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const cassette = join(import.meta.dirname, '..', '..', 'cassettes', 'memory.yaml');

/** A path that a shell of any system would read as something else. */
const hard = join(folder, "a b & c %PATH% $HOME 'd' ^e! (f) ü日");
mkdirSync(hard);
const script = join(hard, 'says its words.mjs');
writeFileSync(
  script,
  '#!/usr/bin/env node\nconsole.log(JSON.stringify({ jsonrpc: "2.0", method: "words", params: process.argv.slice(2) }));\n',
  { mode: 0o755 },
);
/** Words of a command line that a shell, or the C library of Windows, would read as something else. */
const words = [
  ...[
    '',
    'a b',
    'a&b',
    '%PATH%',
    '$HOME',
    'a"b',
    '"',
    "'",
    '\\',
    'C:\\x y\\',
    '\\"',
    '^',
    '!x!',
    'a|b>c',
    '`x`',
    ';',
    '*',
  ],
  ...['ä€', '日本', '😀'],
];

describe('a program that is not there', () => {
  it.each([
    'no-such-program',
    'no such program',
    '"no" such',
    '%PATH%',
    '$HOME',
    'a & b',
    'größe-日本',
    join('no', 'such', 'server.cmd'),
    join(hard, 'none'),
  ])('and is called %s is named, and leaves no cassette', async (name) => {
    const file = newFile();
    const { stdout, stderr, status } = await run(mcpRecord('record', '-o', file, '--', name, 'x'));
    expect([stdout.length, status, existsSync(file)]).toEqual([0, 127, false]);
    expect(stderr).toContain(`Cannot start ${name}: `);
    expect(stderr).toContain('[COMMAND_NOT_FOUND]');
    expect(stderr).not.toMatch(/\n\s+at .*\.js/);
  });

  it.each([
    ['verify', [cassette], 'COMMAND_NOT_FOUND'],
    ['sweep', [cassette], 'COMMAND_NOT_FOUND'],
    ['sweep --server', ['--server', cassette], 'COMMAND_NOT_FOUND'],
    ['prune', [], 'PRUNE_TESTS_FAILED'],
  ])('is refused by %s as well', async (command, args, code) => {
    const [verb = ''] = command.split(' ');
    const { stderr, status } = await run({ ...mcpRecord(verb, ...args, '--', 'no & such %PATH%'), cwd: folder });
    expect([status, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
    expect(stderr).toContain('no & such %PATH%');
  });
});

it.each(['server.ps1', 'server.txt'])('%s, which no system starts, is refused with what to do', async (name) => {
  const [file, program] = [newFile(), join(hard, name)];
  writeFileSync(program, 'Write-Output 1');
  const { stderr, status } = await run(mcpRecord('record', '-o', file, '--', program));
  expect([status, existsSync(file)]).toEqual([126, false]);
  expect(stderr).toContain(`Cannot start ${program}: `);
  expect(stderr).toContain('[COMMAND_NOT_EXECUTABLE]');
});

describe('a server with such a path and such words', () => {
  it.each([
    ['by its interpreter', [process.execPath, script]],
    ['by its first line', [script]],
  ])('is started %s, and is recorded to such a path', async (how, command) => {
    const file = join(hard, `${how} é.yaml`);
    const { stdout, stderr, status } = await run(mcpRecord('record', '-o', file, '--', ...command, ...words));
    expect([status, stderr]).toEqual([0, `mcp-record: nothing redacted → ${file}\n`]);
    expect(JSON.parse(stdout.toString()).params).toEqual(words);
    expect(readFileSync(file, 'utf8')).toContain('end: complete');
    const shown = await run(mcpRecord('show', '--json', file));
    expect([shown.status, JSON.parse(shown.stdout.toString())]).toEqual([0, expect.anything()]);
  });
});
