import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartedServer } from '../../../src/cli/record/restarted-server.ts';
import type { McpRecordError } from '../../../src/kernel/errors.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const folder = realpathSync(temporaryFolder());
const newFile = freeNames(folder);
const at = (name: string) => join(folder, name);
mkdirSync(at('src'));
for (const name of ['server.js', 'tool.py', 'notes.sqlite', 'built']) writeFileSync(at(name), '');

function watched(command: string[], restartOn = 'change', watch: string[] = []) {
  try {
    return restartedServer(command, { restartOn, watch }).watching;
  } catch (error) {
    return (error as McpRecordError).code;
  }
}

const alone = ` (not what it imports: add --watch ${folder})`;

describe('what is watched', () => {
  it.each([
    [['node', at('server.js')], [], `${at('server.js')}${alone}`],
    [['node', '--flag', at('server.js'), at('notes.sqlite'), at('src')], [], `${at('server.js')}${alone}`],
    [['/usr/bin/python3', at('tool.py'), at('gone.py')], [], `${at('tool.py')}${alone}`],
    [[at('built'), '--port', '1'], [], `${at('built')}${alone}`],
    [
      ['node', at('server.js'), at('tool.py')],
      [],
      `${at('server.js')}, ${at('tool.py')} (not what they import: add --watch ${folder})`,
    ],
    [['npm', 'start'], [at('src'), at('notes.sqlite')], `${at('notes.sqlite')}, ${at('src')}`],
    [['node', at('server.js')], [at('server.js'), at('src')], `${at('server.js')}, ${at('src')}`],
    [
      [process.execPath, 'package.json', 'vitest.config.ts'],
      [],
      'vitest.config.ts (not what it imports: add --watch .)',
    ],
    [['node', 'src/index.ts'], [], 'src/index.ts (not what it imports: add --watch src)'],
  ])('%j with --watch %j', (command, watch, expected) => {
    expect(watched(command, 'change', watch)).toBe(`watching ${expected}`);
    expect(watched(command, 'crash,change', watch)).toBe(`watching ${expected}`);
  });

  it('is nothing for a crash alone', () => {
    expect(watched(['npm', 'start'], 'crash')).toBeUndefined();
  });
});

it('is said on standard error at the start', async () => {
  const command = ['--restart-on', 'change', '--', process.execPath, at('server.js')];
  const { stderr, status } = await run(mcpRecord('record', '-o', newFile(), ...command));
  expect([stderr, status]).toEqual([expect.stringContaining(`mcp-record: watching ${at('server.js')}${alone}\n`), 0]);
});

describe('bad input', () => {
  it.each([
    [['npm', 'start'], 'change', [], 'USAGE_NOTHING_TO_WATCH'],
    [[process.execPath, '-e', '0'], 'change', [], 'USAGE_NOTHING_TO_WATCH'],
    [['node', at('server.js')], 'change', [at('gone')], 'USAGE_BAD_WATCH'],
    [['node', at('server.js')], 'crash', [at('src')], 'USAGE_OPTION_WITHOUT_MEANING'],
    [['node', at('server.js')], 'always', [], 'USAGE_BAD_RESTART_ON'],
    [['node', at('server.js')], 'change,', [], 'USAGE_BAD_RESTART_ON'],
  ])('%j on %s with %j is %s', (command, on, watch, code) => expect(watched(command, on, watch)).toBe(code));

  it.each([
    [['--restart-on', 'change', '--http', 'http://127.0.0.1:9/mcp'], 'USAGE_RESTART_HTTP'],
    [['--restart-on', 'crash', '--http', 'http://127.0.0.1:9/mcp', '--stdio'], 'USAGE_RESTART_HTTP'],
    [['--restart-on', 'change,crash', '--http', 'http://127.0.0.1:9/mcp'], 'USAGE_RESTART_HTTP'],
    [['--restart-on', 'crash', '--watch', folder, '--http', 'http://127.0.0.1:9/mcp'], 'USAGE_RESTART_HTTP'],
    [['--restart-on', 'always', '--http', 'http://127.0.0.1:9/mcp'], 'USAGE_BAD_RESTART_ON'],
    [['--restart-on', 'crash', '--lists', '--', 'node', '-e', '0'], 'USAGE_OPTION_WITHOUT_MEANING'],
    [['--restart-on', 'crash', '--fault', 'drop', '--', 'node', '-e', '0'], 'USAGE_OPTION_WITHOUT_MEANING'],
    [['--watch', folder, '--', 'node', '-e', '0'], 'USAGE_OPTION_WITHOUT_MEANING'],
    [['--restart-on', 'change', '--', 'node', '-e', '0'], 'USAGE_NOTHING_TO_WATCH'],
  ])('%j ends with status 2 and %s, before anything starts', async (options, code) => {
    const { stderr, stdout, status } = await run(mcpRecord('record', '-o', newFile(), ...options));
    expect([status, stdout.length, stderr]).toEqual([2, 0, expect.stringContaining(`[${code}]`)]);
  });
});
