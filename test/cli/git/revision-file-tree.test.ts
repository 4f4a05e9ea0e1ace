import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { cassettesIn } from '../../../src/cli/cassette-files/find-cassette-files.ts';
import { cassettesOfBoth } from '../../../src/cli/git/cassettes-of-revision-and-disk.ts';
import { revisionFileTree } from '../../../src/cli/git/revision-file-tree.ts';
import { usersNotes, usersOf, withChangeUsers } from '../../../src/cli/used-by/consumer-cassettes-option.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { cassette, client, request } from '../../support/conversation.ts';
import { repository, weatherCassette } from '../../support/git.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));
const text = weatherCassette(['city'], { city: 'Oslo' });

function enter() {
  const repo = repository();
  repo.put({ 'tapes/a.yaml': text, 'tapes/ö/b.yaml': text, 'tapes/.hidden/c.yaml': text, 'read.md': '' });
  repo.commit();
  repo.put({ 'tapes/staged.yaml': text });
  repo.git('add', '-A');
  process.chdir(repo.folder);
  return repo;
}

it('finds cassettes in a revision and in the index as on the disk', () => {
  enter();
  const tree = revisionFileTree('main', 'folder');
  for (const pattern of ['tapes/**', './tapes/**'])
    expect(cassettesIn(tree, pattern).files.map(tree.nameOf)).toEqual(['main:tapes/a.yaml', 'main:tapes/ö/b.yaml']);
  const all = ['tapes/.hidden/c.yaml', 'tapes/a.yaml', 'tapes/ö/b.yaml'];
  expect(cassettesIn(tree, 'tapes').files).toEqual(all);
  expect(cassettesIn(tree, 'tapes/*.yaml').files).toEqual(['tapes/a.yaml']);
  expect(cassettesIn(tree, '.').files).toEqual(all.map((file) => `./${file}`));
  expect(['tapes/a.yaml', 'tapes', 'none'].map(tree.kindOf)).toEqual(['file', 'folder', undefined]);
  expect(cassettesIn(revisionFileTree('', 'folder'), 'tapes/s*').files).toEqual(['tapes/staged.yaml']);
});

it('begins at the current folder or at the root, and knows what is outside', () => {
  const { folder } = enter();
  process.chdir('tapes');
  const here = revisionFileTree('main', 'folder');
  expect(cassettesIn(here, '*.yaml').files.map(here.nameOf)).toEqual(['main:tapes/a.yaml']);
  expect(cassettesIn(here, '../tapes/ö').files.map(here.nameOf)).toEqual(['main:tapes/ö/b.yaml']);
  expect(cassettesIn(revisionFileTree('main', 'root'), 'tapes/*').files).toEqual(['tapes/a.yaml']);
  expect(['..', '../x', '../../x', '../..'].map(here.has)).toEqual([true, true, false, false]);
  expect(here.has(`${process.cwd()}/a.yaml`.replaceAll('\\', '/'))).toBe(true);
  expect(() => revisionFileTree('--output=x', 'folder')).toThrow('[USAGE_NO_REVISION]');
  expect(cassettesOfBoth('main', '.').map(({ before, state }) => [before, state])).toEqual([
    ['main:tapes/.hidden/c.yaml', 'in both'],
    ['main:tapes/a.yaml', 'in both'],
    ['main:tapes/staged.yaml', 'new'],
    ['main:tapes/ö/b.yaml', 'in both'],
  ]);
  mkdirSync(join(folder, 'empty'));
  expect(() => cassettesOfBoth('main', '../empty')).toThrow('[CASSETTE_NOT_FOUND]');
  expect(() => cassettesOfBoth('main', 'a.yaml')).toThrow('[USAGE_ONE_FILE]');
  expect(() => cassettesOfBoth('main', '../../**')).toThrow(/outside of this repository/);
});

it('passes over files that are no cassettes in either, and never one that was or is a cassette', () => {
  const repo = repository();
  repo.put({ 'tapes/a.yaml': text, 'tapes/b.yaml': 'on: push\n', 'tapes/c.yaml': 'on: push\n', 'tapes/d.yaml': text });
  repo.commit();
  repo.put({ 'tapes/a.yaml': 'on: push\n', 'tapes/b.yaml': text, 'tapes/d.yaml': undefined });
  process.chdir(repo.folder);
  expect(cassettesOfBoth('main', 'tapes').map(({ file, state }) => `${file} ${state}`)).toEqual([
    'tapes/a.yaml in both',
    'tapes/b.yaml in both',
    'tapes/d.yaml deleted',
  ]);
  expect(usersOf(['main:tapes'])!.cassettes.map(({ file }) => file)).toEqual([
    'main:tapes/a.yaml',
    'main:tapes/d.yaml',
  ]);
  expect(() => cassettesOfBoth('main', 'tapes/c*')).toThrow(/tapes\/c.yaml is no cassette.*CASSETTE_NOT_FOUND/s);
});

it('reads the users of a revision: those that a change has recorded again or deleted', () => {
  const repo = enter();
  const again = weatherCassette(['city', 'country'], { city: 'Oslo', country: 'Norway' });
  repo.put({ 'tapes/a.yaml': again });
  const filesOf = (...args: Parameters<typeof usersOf>) => usersOf(...args)!.cassettes.map(({ file }) => file);
  expect(filesOf(['tapes/**'], 'main')).toEqual([
    'tapes/a.yaml',
    'tapes/staged.yaml',
    'tapes/ö/b.yaml',
    'main:tapes/a.yaml',
  ]);
  expect(filesOf(['main:tapes/**', 'main:./tapes/a.yaml'])).toEqual(['main:tapes/a.yaml', 'main:tapes/ö/b.yaml']);
  repo.put({ 'tapes/ö/b.yaml': undefined });
  expect(filesOf(['tapes/ö'], 'main')).toEqual(['main:tapes/ö/b.yaml']);
  expect(() => usersOf(['main:none/**'])).toThrow('[CASSETTE_NOT_FOUND]');
  const other = repository();
  other.put({ 'one.yaml': text });
  expect(filesOf([`${other.folder}/one.yaml`.replaceAll('\\', '/')], 'main')).toHaveLength(1);
});

it('says that cassettes of the disk may have been recorded again', () => {
  const repo = enter();
  repo.put({ 'tapes/a.yaml': weatherCassette(['country'], { country: 'Norway' }) });
  const contract = cassette(client(request(1, 'tools/list')));
  const notesOf = (users: ReturnType<typeof usersOf>) => {
    const change = { severity: 'breaking', path: '', reason: '', affects: { kind: 'tools', name: 'x' } } as const;
    return usersNotes(users, { changes: withChangeUsers({ changes: [change] }, users).changes, contract });
  };
  expect(notesOf(usersOf(['tapes/a.yaml']))[1]).toMatch(
    /no use of the old contract.* --used-by 'main:\.\/tapes\/a\.yaml'/,
  );
  expect(notesOf(usersOf(['tapes/a.yaml'], 'main'))).toEqual([
    'Breaking changes: 0 used, 1 used by none, in 2 cassettes of tapes/a.yaml (with those of main).',
  ]);
  process.chdir(temporaryFolder());
  expect(() => usersOf(['main:tapes/**'])).toThrow('[USAGE_NO_GIT]');
});
