import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { itOnPosix } from '../../../support/on-posix.ts';
import { run as runProcess } from '../../../support/process.ts';

const folder = temporaryFolder();
const cassettes = join(import.meta.dirname, '..', '..', '..', '..', 'cassettes');
const [everything, memory] = [join(cassettes, 'everything.yaml'), join(cassettes, 'memory.yaml')];
const at = (name: string) => join(folder, name);

async function run(command: string, ...args: string[]) {
  const { stdout, stderr, status } = await runProcess(mcpRecord(command, ...args));
  return { stdout: `${stdout}`, stderr, status };
}

describe('mcp-record merge', () => {
  it('joins what cut has taken apart, and says how', async () => {
    await run('cut', everything, '--tool', 'echo', '-o', at('echo.yaml'));
    await run('cut', everything, '--tool', 'get-sum', '-o', at('sum.yaml'));
    const { stdout, stderr, status } = await run('merge', at('echo.yaml'), at('sum.yaml'), '-o', at('both.yaml'));
    expect([stdout, status]).toEqual(['', 0]);
    expect(stderr).toMatch(
      /^mcp-record: merged \d+ events of 2 cassettes; left out \d+ that repeat the handshake or end a session that goes on(?:; gave \d+ requests? another id)?\n$/,
    );
    expect(readFileSync(at('both.yaml'), 'utf8').match(/method: initialize/g)).toHaveLength(1);
    writeFileSync(at('again.yaml'), readFileSync(at('echo.yaml')));
    const twice = await run('merge', at('echo.yaml'), at('again.yaml'), '-o', at('twice.yaml'));
    expect(twice.stderr).toMatch(/; gave \d+ requests another id\n$/);
    expect((await run('lint', at('twice.yaml'))).stdout).toContain('0 errors');
  });

  itOnPosix('file modes', 'writes a file that only its owner may read', async () => {
    await run('cut', everything, '--tool', 'echo', '-o', at('one.yaml'));
    await run('cut', everything, '--tool', 'get-sum', '-o', at('other.yaml'));
    await run('merge', at('one.yaml'), at('other.yaml'), '-o', at('owned.yaml'));
    expect(statSync(at('owned.yaml')).mode & 0o777).toBe(0o600);
  });

  it('refuses sessions that are not alike, and files that are in the way or cannot be read', async () => {
    const other = await run('merge', everything, memory, '-o', at('never.yaml'));
    expect(other.stderr).toMatch(
      /Cannot merge .*memory\.yaml: .*\[USAGE_CANNOT_MERGE\]\n {2}Keep them as two cassettes/,
    );
    const none = await run('merge', everything, at('none.yaml'), '-o', at('never.yaml'));
    expect(none.stderr).toContain('[CASSETTE_NOT_FOUND]');
    expect([other.status, none.status, existsSync(at('never.yaml'))]).toEqual([2, 2, false]);
    writeFileSync(at('copy.yaml'), readFileSync(everything));
    const itself = await run('merge', at('copy.yaml'), everything, '-o', at('copy.yaml'));
    expect(itself.stderr).toMatch(/it is a cassette that is read.*\[USAGE_CANNOT_WRITE\]/);
    expect(readFileSync(at('copy.yaml'))).toEqual(readFileSync(everything));
  });

  itOnPosix('links', 'refuses a cassette that is named twice, also by another path', async () => {
    symlinkSync(everything, at('link.yaml'));
    for (const [second, why] of [
      [everything, 'it is named twice'],
      [at('link.yaml'), `it is the same file as ${everything}`],
    ] as const) {
      const { stderr, status } = await run('merge', everything, second, '-o', at('doubled.yaml'));
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining(`Cannot merge ${second}: ${why}. [USAGE_CANNOT_MERGE]`),
      ]);
    }
    expect(existsSync(at('doubled.yaml'))).toBe(false);
  });

  it('needs two cassettes, and a place for them', async () => {
    expect((await run('merge', everything, '-o', at('never.yaml'))).stderr).toContain('[USAGE_MISSING_ARGUMENT]');
    expect((await run('merge', everything, memory)).stderr).toContain('[USAGE_MISSING_MANDATORY_OPTION_VALUE]');
  });
});
