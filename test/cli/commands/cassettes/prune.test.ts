import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { run } from '../../../support/process.ts';

const parent = temporaryFolder();

/** A project with a test file, a cassette that it uses, one that it does not, and those of a file that is gone. */
function project(gone = 0) {
  const folder = mkdtempSync(join(parent, 'project-'));
  const cassettes = join(folder, 'test', '__cassettes__');
  for (const name of ['here.test.js', 'gone.test.js']) mkdirSync(join(cassettes, name), { recursive: true });
  for (const path of [
    'here.test.js/used.yaml',
    'here.test.js/unused.yaml',
    'here.test.js/used.recording.yaml',
    'here.test.js/used.recording-2.yaml',
    'gone.test.js/old.yaml',
  ])
    writeFileSync(join(cassettes, path), '');
  for (let index = 0; index < gone; index++) writeFileSync(join(cassettes, 'gone.test.js', `old-${index}.yaml`), '');
  const used = join(cassettes, 'here.test.js', 'used.yaml');
  writeFileSync(
    join(folder, 'test', 'here.test.js'),
    `require('node:fs').appendFileSync(process.env.MCP_RECORD_USED, ${JSON.stringify(`${used}\n`)}); console.log('all passed');`,
  );
  return {
    async prune(...args: string[]) {
      const { stdout, stderr, status } = await run({ ...mcpRecord('prune', ...args), cwd: folder });
      return { said: stdout.toString().split('\n').filter(Boolean).sort(), stderr, status };
    },
    left: () => ['here', 'gone'].flatMap((name) => readdirSync(join(cassettes, `${name}.test.js`)).sort()),
  };
}

const at = (path: string) => join('test', '__cassettes__', path);
const tests = ['--', process.execPath, join('test', 'here.test.js')];

describe('prune', () => {
  it('says of hundreds of cassettes that they are orphans, and nothing else', async () => {
    const { prune } = project(300);
    const { said, stderr, status } = await prune('--fail-orphans');
    expect([said.length, stderr.toString(), status]).toEqual([303, '', 1]);
  });

  it('removes what the tests do not use', async () => {
    const { prune, left } = project();
    const { said, stderr, status } = await prune(...tests);
    expect([said, status]).toEqual([
      [
        'gone.test.js/old.yaml',
        'here.test.js/unused.yaml',
        'here.test.js/used.recording-2.yaml',
        'here.test.js/used.recording.yaml',
      ].map((path) => `removed ${at(path)}`),
      0,
    ]);
    expect(stderr).toContain('all passed');
    expect(left()).toEqual(['used.yaml']);
  });

  it('keeps what a test uses that has another name than its folder', async () => {
    const { prune, left } = project();
    const other = 'gone.test.js/old.yaml';
    const uses = `const { appendFileSync } = require('node:fs'); const { resolve } = require('node:path');
      appendFileSync(process.env.MCP_RECORD_USED, resolve(${JSON.stringify(at(other))}) + '\\n')`;
    const { status } = await prune('--', process.execPath, '-e', uses);
    expect(status).toBe(0);
    expect(left()).toContain('old.yaml');
  });

  it('without tests removes what has no test file, and what failed tests left', async () => {
    const { prune, left } = project();
    expect((await prune()).status).toBe(0);
    expect(left()).toEqual(['unused.yaml', 'used.yaml']);
  });

  it('with --fail-orphans says what there is to remove, and removes nothing', async () => {
    const { prune, left } = project();
    const before = left();
    expect(await prune('--fail-orphans', ...tests)).toMatchObject({ status: 1, said: { length: 4 } });
    expect(left()).toEqual(before);
    await prune(...tests);
    expect(await prune('--fail-orphans', ...tests)).toMatchObject({ status: 0, said: [] });
  });

  it('keeps those of a test file of which no test used a cassette, and says so', async () => {
    const { prune, left } = project();
    const { said, stderr, status } = await prune('--fail-orphans', '--', process.execPath, '-e', '');
    expect([said.length, status]).toEqual([3, 1]);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('Kept 2 cassettes of test/here.test.js that no test used');
    await prune('--', process.execPath, '-e', '');
    expect(left()).toEqual(['unused.yaml', 'used.yaml']);
  });

  it.each([
    ['fail', [process.execPath, '-e', 'process.exit(3)'], 'ended with 3'],
    ['are not there', ['no-such-runner'], 'there is no program no-such-runner'],
  ])('removes nothing where the tests %s', async (_, command, why) => {
    const { prune, left } = project();
    const before = left();
    const { stderr, status } = await prune('--', ...command);
    expect(stderr).toMatch(/\[PRUNE_TESTS_FAILED\]/);
    expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(left()).toEqual(before);
  });
});
