import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../../src/cassette/read/load-cassette.ts';
import { freeNames, temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { itOnPosix } from '../../../support/on-posix.ts';
import { fixture, recorder, run } from '../../../support/process.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);

describe('a cassette', () => {
  it('is never written over: the next free name is taken, and said', async () => {
    const file = newFile();
    writeFileSync(file, 'mine');
    const { stderr } = await run(recorder(file, fixture('cat.js')), '{}\n');
    const next = file.replace('.yaml', '-2.yaml');
    expect(stderr).toBe(
      `mcp-record: ${file} exists and is kept: recording to ${next}. To replace a cassette, remove it first.\nmcp-record: nothing redacted → ${next}\n`,
    );
    expect(existsSync(next)).toBe(true);
    expect(statSync(file).size).toBe(4);
  });

  it('in a directory is named by server, time and process, and said', async () => {
    const inside = join(folder, 'many');
    mkdirSync(inside);
    const { stderr } = await run(recorder(inside, fixture('cat.js')), '{}\n');
    const [name] = readdirSync(inside);
    expect(name).toMatch(/^cat-\d{8}T\d{6}Z-\d+\.yaml$/);
    expect(stderr).toContain(`mcp-record: recording to ${join(inside, name!)}\n`);
  });

  itOnPosix('file modes', 'can be read by its owner only', async () => {
    const file = newFile();
    await run(recorder(file, fixture('cat.js')), '{}\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('that the disk refuses leaves the session alone; it is said at once, and the status is 74', async () => {
    const file = join(folder, 'no-folder', 'cassette.yaml');
    writeFileSync(join(folder, 'no-folder'), 'a file');
    const { stdout, stderr, status } = await run(recorder(file, fixture('cat.js')), '{"a":1}\n');
    expect(stdout.toString()).toBe('{"a":1}\n');
    expect(stderr).toContain('[CASSETTE_NOT_WRITTEN]');
    expect(status).toBe(74);
  });

  itOnPosix('shell', 'that the disk refuses later leaves the session alone as well', async () => {
    const file = newFile();
    const { command, args } = recorder(file, fixture('cat.js'));
    const blocksMax = 'ulimit -f 8; exec "$@"';
    const lines = '{"a":1}\n'.repeat(10_000);
    const { stdout, stderr, status } = await run(
      { command: '/bin/sh', args: ['-c', blocksMax, 'sh', command, ...args] },
      lines,
    );
    expect(stdout.toString()).toBe(lines);
    expect(stderr.match(/\[CASSETTE_NOT_WRITTEN\]/g)).toHaveLength(1);
    expect(status).toBe(74);
    expect(loadCassette(file).warnings.length).toBeGreaterThan(0);
  });

  it('of a process that was only asked what it can do is a probe’s', async () => {
    const file = newFile();
    await run(recorder(file, fixture('cat.js')), '{"jsonrpc":"2.0","id":1,"method":"server/discover"}\n');
    expect(existsSync(file)).toBe(false);
    expect(existsSync(file.replace('.yaml', '.probe.yaml'))).toBe(true);
  });

  it('of a process that was asked and then used is a session’s', async () => {
    const file = newFile();
    const input =
      '{"jsonrpc":"2.0","id":1,"method":"server/discover"}\n{"jsonrpc":"2.0","id":2,"method":"initialize"}\n';
    await run(recorder(file, fixture('cat.js')), input);
    expect(existsSync(file)).toBe(true);
    expect(existsSync(file.replace('.yaml', '.probe.yaml'))).toBe(false);
  });

  it.each([
    [['--timing', 'exact'], /after: \d+\.\d+/],
    [['--timing', 'none'], /^(?!.*after:)/s],
  ])('keeps gaps as asked: %j', async (options, pattern) => {
    const file = newFile();
    await run(recorder(file, fixture('cat.js'), ...options), '{}\n');
    expect(readFileSync(file, 'utf8')).toMatch(pattern);
  });
});

describe('a server that cannot be started', () => {
  it('is an error with status 127 that leaves no cassette', async () => {
    const file = newFile();
    const { stderr, status, stdout } = await run(mcpRecord('record', '-o', file, 'no-such-program'));
    expect(stderr).toContain('Cannot start no-such-program');
    expect(stderr).toContain('[COMMAND_NOT_FOUND]');
    expect([status, stdout.length, existsSync(file)]).toEqual([127, 0, false]);
  });

  itOnPosix('file modes', 'is an error with status 126 where it is no program', async () => {
    const file = newFile();
    const { stderr, status } = await run(mcpRecord('record', '-o', file, '--', join(import.meta.dirname)));
    expect(stderr).toContain('[COMMAND_NOT_EXECUTABLE]');
    expect([status, existsSync(file)]).toEqual([126, false]);
  });

  it('needs no "--" before it', async () => {
    const { command, args } = fixture('cat.js');
    const { stdout } = await run(mcpRecord('record', '-o', newFile(), command, ...args), 'hello\n');
    expect(stdout.toString()).toBe('hello\n');
  });
});
