import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diffCommand } from './diff-command.ts';

const { put, run } = diffCommand();
const cassettes = join(import.meta.dirname, '..', '..', '..', '..', 'cassettes');
const cassette = readFileSync(join(cassettes, 'memory.yaml'), 'utf8');

describe('mcp-record diff', () => {
  it('exits with 0 where the sessions are the same, however their ids differ', () => {
    put('a.yaml', cassette);
    put(
      'b.yaml',
      cassette.replaceAll(/^( {4}id: )(\d+)$/gm, (_, key, id) => `${key}${Number(id) + 100}`),
    );
    const { stdout, stderr, status } = run('diff', 'a.yaml', 'b.yaml');
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).toMatch(/^\d+ the same\n$/);
  });

  it('exits with 1 where they differ, and says what breaks callers', () => {
    put('a.yaml', cassette);
    put('b.yaml', cassette.replace('name: create_entities\n', 'name: make_entities\n'));
    const { stdout, status } = run('diff', 'a.yaml', 'b.yaml');
    expect(status).toBe(1);
    expect(stdout).toContain('breaking: tool "create_entities"');
    const json = run('diff', '--json', 'a.yaml', 'b.yaml');
    expect(JSON.parse(json.stdout).entries[0].changes[0]).toMatchObject({ severity: 'breaking' });
    expect(json.status).toBe(1);
  });

  it('exits with 2 where there is nothing to compare', () => {
    const { stderr, status } = run('diff', 'a.yaml', 'none.yaml');
    expect(stderr).toContain('[CASSETTE_NOT_FOUND]');
    expect(status).toBe(2);
  });
});
