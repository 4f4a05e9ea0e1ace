import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  cassettesIn,
  cassettesNamed,
  DISK,
  findCassettes,
} from '../../../src/cli/cassette-files/find-cassette-files.ts';
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
  findCassettes([join(folder, pattern).replaceAll('\\', '/')]).map((file) =>
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
    expect(() => found(pattern)).toThrow(/no file that ends in .yaml, .yml or .json matches.*\[CASSETTE_NOT_FOUND\]/);
  });

  it('finds files from the working directory', () => {
    expect(findCassettes(['cassettes/memory*'])).toContain('cassettes/memory.yaml');
    expect(findCassettes(['c?ssettes/memory.yaml'])).toEqual(['cassettes/memory.yaml']);
  });
});

const CASSETTE = 'format: mcp-record/1\nevents: []\n';

/** Writes files into a new folder, and returns its path. */
function folderWith(files: Record<string, string | Uint8Array>): string {
  const made = realpathSync(temporaryFolder()).replaceAll('\\', '/');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    writeFileSync(join(made, name), text);
  }
  return made;
}
const below = (base: string, names: readonly string[]) =>
  names.map((name) => relative(base, name).replaceAll('\\', '/'));

describe('a folder with other files', () => {
  const mixed = folderWith({
    'a.yaml': CASSETTE,
    'b.YML': CASSETTE,
    'c.Yaml': CASSETTE,
    'd.json': JSON.stringify({ format: 'mcp-record/1', events: [] }),
    'package.json': '{ "name": "x" }',
    'rules.yaml': 'redact: []\n',
    'tools.mock.yaml': 'format: mcp-record-mock/1\ntools: {}\n',
    '.github/workflows/ci.yml': 'on: push\n',
    'damaged.yaml': 'fromat: mcp-record/1\nevents: []\n',
    'empty.yaml': '',
  });

  it('is read with all that is or may be a cassette, and the others are counted', () => {
    const { files, others } = cassettesIn(DISK, mixed);
    expect(below(mixed, files)).toEqual(['a.yaml', 'b.YML', 'c.Yaml', 'd.json', 'damaged.yaml', 'empty.yaml']);
    expect(below(mixed, others)).toEqual(['.github/workflows/ci.yml', 'rules.yaml', 'tools.mock.yaml']);
  });

  it('is not passed over if it has no cassette, and neither is a file that is named', () => {
    expect(() => findCassettes([`${mixed}/rules*`])).toThrow(/rules.yaml is no cassette, and nothing else.*NOT_FOUND/s);
    expect(cassettesNamed([`${mixed}/rules.yaml`])).toEqual([`${mixed}/rules.yaml`]);
    expect(() => cassettesNamed([`${mixed}/.github`])).toThrow(/cassettes .*\.github.*CASSETTE_NOT_FOUND/s);
  });
});

describe('a link to a folder', () => {
  it.skipIf(process.platform === 'win32')('is followed once, and never in a circle', () => {
    const base = folderWith({ 'tapes/a.yaml': CASSETTE, 'far/b.yaml': CASSETTE });
    symlinkSync('../far', join(base, 'tapes/far'));
    symlinkSync('../far', join(base, 'tapes/same'));
    symlinkSync('..', join(base, 'tapes/up'));
    symlinkSync('../tapes', join(base, 'far/back'));
    symlinkSync('nowhere', join(base, 'tapes/broken'));
    const { files } = cassettesIn(DISK, `${base}/tapes`);
    expect(new Set(files.map((file) => realpathSync(file)))).toEqual(
      new Set([`${base}/tapes/a.yaml`, `${base}/far/b.yaml`]),
    );
  });
});
