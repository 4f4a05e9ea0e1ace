import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { type Command, mcpRecord } from '../../../support/command.ts';
import { itOnPosix } from '../../../support/on-posix.ts';
import { run } from '../../../support/process.ts';

const folder = temporaryFolder();
const root = join(import.meta.dirname, '..', '..', '..', '..');

/** A command whose temporary files go to `temporary`, which is new. */
function demoIn(temporary: string, ...args: string[]): Command {
  mkdirSync(temporary);
  return { ...mcpRecord('demo', ...args), env: { TMPDIR: temporary, TEMP: temporary } };
}

describe('mcp-record demo', () => {
  it('records, replays without the server, finds the change, and leaves nothing behind', async () => {
    const temporary = join(folder, 'temporary');
    const { stdout, stderr, status } = await run(demoIn(temporary));
    const text = stdout.toString();
    const commands = [...text.matchAll(/^\$ (.*)$/gm)].map(([, line]) => line);
    expect(commands).toEqual([
      'node client.mjs mcp-record record -o weather.yaml -- node server.mjs',
      'mcp-record show weather.yaml',
      'rm server.mjs',
      'node client.mjs mcp-record replay weather.yaml',
      'mcp-record verify weather.yaml -- node server-2.mjs',
    ]);
    const answers = 'Bergen: 9 mm of rain\nCairo: 0 mm of rain\nLima: 1 mm of rain\n';
    expect(text.split(answers)).toHaveLength(3);
    expect(stderr).toMatch(/^mcp-record: 3 calls, 1 value redacted \(api_key on line \d+\) → weather\.yaml$/m);
    expect(text).toContain('✗ tools/list: breaking: tool "weather": argument "country" is now required');
    expect(text).toContain('  +           - country\n');
    expect(text).toMatch(/^1 failed, 4 passed in /m);
    expect(readdirSync(temporary)).toEqual([]);
    expect(status).toBe(0);
  });

  it('keeps the files where it is told to, and they do again what it showed', async () => {
    const kept = join(folder, 'kept');
    const { stdout, status } = await run(demoIn(join(folder, 'other'), '-o', kept));
    expect(status).toBe(0);
    expect(stdout.toString()).toContain(`The files are in ${kept}.`);
    expect(readdirSync(kept).sort()).toEqual(['client.mjs', 'server-2.mjs', 'weather.yaml']);
    expect(readFileSync(join(kept, 'weather.yaml'), 'utf8')).not.toContain('3e9a1c-demo');
    const { command, args } = mcpRecord('replay', 'weather.yaml');
    const options = { cwd: kept, encoding: 'utf8', stdio: 'pipe' } as const;
    expect(execFileSync(process.execPath, ['client.mjs', command, ...args], options)).toContain('Lima: 1 mm of rain');
  });

  it('writes nothing into a folder that has something in it', async () => {
    const used = join(folder, 'used');
    mkdirSync(used);
    writeFileSync(join(used, 'mine.txt'), '');
    const { stderr, status } = await run(mcpRecord('demo', '-o', used));
    expect([status, readdirSync(used)]).toEqual([2, ['mine.txt']]);
    expect(stderr).toContain('[USAGE_FOLDER_IN_USE]');
  });

  itOnPosix('programs by their first line', 'needs files that the package has', () => {
    const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const [{ files }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: 'pipe' }));
    const paths = files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['assets/demo/client.mjs', 'assets/demo/server.mjs']));
  });
});
