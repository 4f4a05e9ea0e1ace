import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mcpRecord } from '../../../support/command.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

function run(...args: string[]) {
  const { command, args: all } = mcpRecord('coverage', ...args);
  return spawnSync(command, all, { cwd: root, encoding: 'utf8' });
}

describe('mcp-record coverage', () => {
  it('says what the cassettes of a folder exercise of each revision, and what they never do', () => {
    const { stdout, stderr, status } = run('cassettes');
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).toMatch(/^2025-11-25: \d+ of \d+ parts in \d+ cassettes$/m);
    expect(stdout).toMatch(/^ {4}never: .*tasks\/get/m);
    expect(stdout).toMatch(/^No cassette of 2024-11-05/m);
  });

  it('prints the same as JSON, of files and patterns, each file once', () => {
    const { stdout, status } = run('--json', 'cassettes/memory.yaml', 'cassettes/mem*');
    expect(status).toBe(0);
    const { revisions } = JSON.parse(stdout);
    expect(revisions).toMatchObject([{ revision: '2025-11-25', files: ['cassettes/memory.yaml'] }]);
    expect(revisions[0].parts[0]).toMatchObject({ kind: 'request', from: 'client', name: expect.any(String) });
  });

  it('refuses a pattern without a cassette', () => {
    const { stderr, status } = run('cassettes/none*');
    expect(stderr).toContain('[CASSETTE_NOT_FOUND]');
    expect(status).toBe(2);
  });
});
