import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCassettes } from '../../../src/cli/cassette-files/find-cassette-files.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
for (const name of [
  'tapes/a.yaml',
  'tapes/b.yml',
  'tapes/deep/b.yaml',
  'tapes/deep/er/c.yaml',
  'tapes/.hidden/d.yaml',
  'tapes/node_modules/e.yaml',
  'tapes/.f.yaml',
  'tapes/read.md',
  'one.yaml',
]) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), '');
}
const found = (pattern: string) =>
  findCassettes(join(folder, pattern).replaceAll('\\', '/')).map((file) =>
    relative(folder, file).replaceAll('\\', '/'),
  );

describe('findCassettes', () => {
  it.each([
    ['one.yaml', ['one.yaml']],
    ['tapes/read.md', ['tapes/read.md']],
    [
      'tapes',
      [
        'tapes/.f.yaml',
        'tapes/.hidden/d.yaml',
        'tapes/a.yaml',
        'tapes/b.yml',
        'tapes/deep/b.yaml',
        'tapes/deep/er/c.yaml',
      ],
    ],
    ['tapes/**', ['tapes/a.yaml', 'tapes/b.yml', 'tapes/deep/b.yaml', 'tapes/deep/er/c.yaml']],
    ['tapes/*', ['tapes/a.yaml', 'tapes/b.yml']],
    ['tapes/*.yaml', ['tapes/a.yaml']],
    ['tapes/**/b.yaml', ['tapes/deep/b.yaml']],
    ['**/?.yaml', ['tapes/a.yaml', 'tapes/deep/b.yaml', 'tapes/deep/er/c.yaml']],
    ['tapes/*/*.yaml', ['tapes/deep/b.yaml', 'tapes/node_modules/e.yaml']],
    ['tapes/d*p/**/*.yaml', ['tapes/deep/b.yaml', 'tapes/deep/er/c.yaml']],
    ['tapes/.hidden/*', ['tapes/.hidden/d.yaml']],
    ['tapes/**/*.yml', ['tapes/b.yml']],
    ['t*p*s/*a*.ya*ml', ['tapes/a.yaml']],
    ['tapes/**/**/c.yaml', ['tapes/deep/er/c.yaml']],
  ])('%s names %j', (pattern, expected) => {
    expect(found(pattern)).toEqual(expected);
  });

  it.each(['none.yaml', 'none/**', 'tapes/*.json', 'tapes/a.yaml/*', 'tapes/x*'])('%s names none', (pattern) => {
    expect(() => found(pattern)).toThrow(/no file that ends in .yaml or .yml matches.*\[CASSETTE_NOT_FOUND\]/);
  });

  it('finds files from the working directory', () => {
    expect(findCassettes('cassettes/memory*')).toContain('cassettes/memory.yaml');
    expect(findCassettes('c?ssettes/memory.yaml')).toEqual(['cassettes/memory.yaml']);
  });
});
