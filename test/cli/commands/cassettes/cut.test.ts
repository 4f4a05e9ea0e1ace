import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { itOnPosix } from '../../../support/on-posix.ts';
import { run as runProcess } from '../../../support/process.ts';

const folder = temporaryFolder();
const cassette = join(import.meta.dirname, '..', '..', '..', '..', 'cassettes', 'everything.yaml');
const at = (name: string) => join(folder, name);

async function run(...args: string[]) {
  const { stdout, stderr, status } = await runProcess(mcpRecord('cut', ...args));
  return { stdout: `${stdout}`, stderr, status };
}

describe('mcp-record cut', () => {
  it('prints the part that is kept, and says how much that is', async () => {
    const { stdout, stderr, status } = await run(cassette, '--tool', 'get-sum');
    expect([stderr, status]).toEqual(['mcp-record: kept 41 of 164 events, 29 of them since others need them\n', 0]);
    expect(stdout.match(/^ {6}name: .*$/gm)).toEqual(Array.from({ length: 12 }, () => '      name: get-sum'));
  });

  it('writes it to a new file', async () => {
    const { stdout, status } = await run(cassette, '--lines', '1-200', '--to', '1.5s', '-o', at('part.yaml'));
    expect([stdout, status]).toEqual(['', 0]);
    expect(readFileSync(at('part.yaml'), 'utf8')).toContain('method: initialize');
  });

  itOnPosix('file modes', 'writes a file that only its owner may read', async () => {
    await run(cassette, '--tool', 'get-sum', '-o', at('owned.yaml'));
    expect(statSync(at('owned.yaml')).mode & 0o777).toBe(0o600);
  });

  it('says what was removed, why, and what stayed', async () => {
    expect((await run(cassette, '--drop', '--tool', 'get-sum')).stderr).toBe(
      'mcp-record: removed 24 of 164 events, 12 of them since they need others\n',
    );
    expect((await run(cassette, '--drop', '--method', 'initialize', '--tool', 'echo')).stderr).toContain(
      '[USAGE_NOTHING',
    );
    expect((await run(cassette, '--drop', '--lines', '1-250')).stderr).toMatch(
      /; 3 that were selected stay, since others need them\n$/,
    );
  });

  itOnPosix('links', 'does not write over what it reads', async () => {
    symlinkSync(cassette, at('same.yaml'));
    const same = await run(cassette, '--tool', 'echo', '-o', at('same.yaml'));
    expect(same.stderr).toMatch(/it is a cassette that is read.*\[USAGE_CANNOT_WRITE\]\n {2}Name another file\.\n/);
  });

  it('replaces an earlier cut of the same cassette, and says so, since its advice is to keep more', async () => {
    const file = at('again.yaml');
    await run(cassette, '--tool', 'get-sum', '-o', file);
    const again = await run(cassette, '--tool', 'echo', '--tool', 'get-sum', '-o', file);
    expect([again.status, again.stderr]).toEqual([0, expect.stringContaining(`${file} is an earlier cut of the same`)]);
    expect(readFileSync(file, 'utf8')).toMatch(/name: echo\n[\s\S]*name: get-sum\n/);
    const edited = readFileSync(file, 'utf8').replace('name: get-sum', 'name: get-total');
    writeFileSync(file, edited);
    const kept = await run(cassette, '--tool', 'echo', '-o', file);
    expect([kept.status, kept.stderr]).toEqual([2, expect.stringContaining('[USAGE_CANNOT_WRITE]')]);
    expect(readFileSync(file, 'utf8')).toBe(edited);
  });

  it('writes over nothing', async () => {
    writeFileSync(at('there.yaml'), 'mine');
    const there = await run(cassette, '--tool', 'echo', '-o', at('there.yaml'));
    expect([there.status, there.stderr]).toEqual([
      2,
      expect.stringMatching(/there is such a file. \[USAGE_CANNOT_WRITE\]/),
    ]);
    expect(readFileSync(at('there.yaml'), 'utf8')).toBe('mine');
    const nowhere = await run(cassette, '--tool', 'echo', '-o', at('no/such/folder.yaml'));
    expect(nowhere.stderr).toMatch(/ENOENT.*\[USAGE_CANNOT_WRITE\]/);
  });

  it.each([
    [['--tool', 'get-sun'], /Did you mean "get-sum"\?.*/, 'USAGE_NOT_IN_CASSETTE'],
    [['--session', '5e55'], /their ids are in no cassette/, 'USAGE_NOT_IN_CASSETTE'],
    [['--session', '2'], /has 1 session/, 'USAGE_NOT_IN_CASSETTE'],
    [['--lines', '40-10'], /--lines 10-40/, 'USAGE_BAD_LINES'],
    [['--lines', '0'], /counted from 1/, 'USAGE_BAD_LINES'],
    [['--lines', '99999'], /has 1,933 lines/, 'USAGE_BAD_LINES'],
    [['--from', '1000'], /--from 250ms/, 'USAGE_BAD_TIME'],
    [['--from', '2s', '--to', '1s'], /ends before it begins/, 'USAGE_BAD_TIME'],
    [['--from', '9m'], /164 events in 2040 ms/, 'USAGE_NOTHING_SELECTED'],
    [[], /no option says which events/, 'USAGE_NOTHING_SELECTED'],
  ])('refuses %j, and writes nothing', async (args, why, code) => {
    const { stdout, stderr, status } = await run(cassette, ...args, '-o', at('never.yaml'));
    expect(stderr).toMatch(why);
    expect(stderr).toContain(`[${code}]`);
    expect([stdout, status, existsSync(at('never.yaml'))]).toEqual(['', 2, false]);
  });

  it('says of a file that cannot be read why', async () => {
    expect((await run(at('none.yaml'), '--tool', 'add')).stderr).toContain('[CASSETTE_NOT_FOUND]');
    writeFileSync(at('bad.yaml'), 'name: x\n');
    expect((await run(at('bad.yaml'), '--tool', 'add')).stderr).toContain('[CASSETTE_NOT_RECOGNIZED]');
  });
});
