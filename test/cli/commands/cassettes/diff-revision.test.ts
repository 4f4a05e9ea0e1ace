import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { compareCassettes } from '../../../../src/cli/commands/cassettes/compare-cassettes.ts';
import { diffRevision } from '../../../../src/cli/commands/cassettes/diff-revision.ts';
import { givenIgnores } from '../../../../src/cli/options/ignore-options.ts';
import { diffText } from '../../../../src/diff/format-session-diff.ts';
import { failedSteps } from '../../../../src/text-report/outcome-model.ts';
import { mcpRecord } from '../../../support/command.ts';
import { repository, weatherCassette } from '../../../support/git.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

const old = weatherCassette(['city'], { city: 'Oslo' });
const contract = weatherCassette(['city']);
const broken = weatherCassette(['city', 'country'], { city: 'Oslo', country: 'Norway' });

/** A pull request that changes server and cassettes together: one is broken, one deleted, one new, one as before. */
function pullRequest() {
  const repo = repository();
  repo.put({ 'cassettes/a.yaml': old, 'cassettes/deep/b.yaml': old, 'cassettes/same.yaml': contract });
  repo.commit();
  repo.put({ 'cassettes/a.yaml': broken, 'cassettes/deep/b.yaml': undefined, 'cassettes/c.yaml': broken });
  return repo;
}

function run(cwd: string, ...args: string[]) {
  const { command, args: all } = mcpRecord('diff', ...args);
  return spawnSync(command, all, { cwd, encoding: 'utf8' });
}

describe('diff REVISION: PATTERN', () => {
  it('compares each cassette of the revision and of the disk', () => {
    process.chdir(pullRequest().folder);
    const rules = {
      failOn: 'breaking' as const,
      given: givenIgnores({ ignore: [], ignorePattern: [] }),
      users: undefined,
    };
    const { outcome, json, lines } = diffRevision('main', 'cassettes', (...two) => compareCassettes(two, rules));
    expect(failedSteps(outcome).map(({ file, title }) => [file, title])).toEqual([
      ['cassettes/a.yaml', 'tools/list'],
      ['cassettes/a.yaml', 'tools/call "weather"'],
      ['cassettes/deep/b.yaml', 'cassettes/deep/b.yaml'],
    ]);
    expect(json(['a note'])).toMatchObject({
      a: 'main:',
      b: 'cassettes',
      cassettes: [
        { a: 'main:cassettes/a.yaml', b: 'cassettes/a.yaml' },
        { b: 'cassettes/same.yaml', entries: [] },
      ],
      deleted: ['cassettes/deep/b.yaml'],
      new: ['cassettes/c.yaml'],
      notes: ['a note'],
    });
    const text = lines(['a note'], diffText).join('\n');
    expect(text).toContain(
      'cassettes/a.yaml\n  ~ tools/list: breaking: tool "weather": new required argument "country"',
    );
    expect(text).toContain('+ cassettes/c.yaml: new since main, so there is nothing to compare');
    expect(text).toContain('- cassettes/deep/b.yaml: deleted since main, which counts as breaking');
    expect(text).toMatch(/note: a note\n2 cassettes compared, 1 failed, 1 deleted, 1 new$/);
  });

  it('fails a pull request that changes server and cassette together, and passes one that adds to them', () => {
    const repo = pullRequest();
    const failed = run(repo.folder, '--fail-on', 'breaking', '--junit', 'diff.xml', 'main:', 'cassettes');
    expect([failed.stderr, failed.status]).toEqual(['', 1]);
    expect(readFileSync(join(repo.folder, 'diff.xml'), 'utf8')).toContain('tests="5" failures="3"');
    repo.git('checkout', '-q', '.');
    const passed = run(repo.folder, '--fail-on', 'breaking', 'main:', 'cassettes/**');
    expect(passed.stdout).toMatch(/new since main[\s\S]*3 cassettes compared, 0 deleted, 1 new\n$/);
    expect(passed.status).toBe(0);
    repo.put({ 'cassettes/deep/b.yaml': undefined });
    expect(run(repo.folder, '--fail-on', 'breaking', 'main:', 'cassettes/**').status).toBe(1);
  });

  it('begins at the current folder, and sees a folder that is gone as a whole', () => {
    const repo = pullRequest();
    const below = run(join(repo.folder, 'cassettes'), 'main:', 'deep');
    expect(below.stdout).toBe(
      '- deep/b.yaml: deleted since main, which counts as breaking: nothing shows any more that its calls are answered\n\n0 cassettes compared, 1 deleted, 0 new\n',
    );
    expect(below.status).toBe(1);
    expect(run(join(repo.folder, 'cassettes'), 'main:', '../cassettes/*.yaml').stdout).toContain(
      '2 cassettes compared, 1 failed, 0 deleted, 1 new',
    );
  });

  it('refuses what would leave out deleted cassettes', () => {
    const { folder } = pullRequest();
    const expanded = run(folder, 'main:', 'cassettes/a.yaml', 'cassettes/c.yaml');
    expect(expanded.stderr).toMatch(/\[USAGE_EXCESS_ARGUMENTS\][\s\S]*diff main: 'cassettes\/\*\*'/);
    const single = run(folder, 'main:', 'cassettes/a.yaml');
    expect(single.stderr).toMatch(/\[USAGE_ONE_FILE\][\s\S]*diff main:cassettes\/a\.yaml cassettes\/a\.yaml/);
    expect(run(folder, 'main:', 'cassette').stderr).toContain('[CASSETTE_NOT_FOUND]');
    expect(run(folder, 'mian:', 'cassettes').stderr).toMatch(/no revision mian[\s\S]*FETCH_HEAD/);
    expect(run(folder, 'main:', '../elsewhere/**').stderr).toMatch(/outside of this repository[\s\S]*/);
    for (const one of [expanded, single]) expect(one.status).toBe(2);
  });
});

describe('diff REVISION:FILE FILE --used-by', () => {
  it('counts the calls of the old cassettes as uses, though all cassettes were recorded again', () => {
    const repo = repository();
    repo.put({ 'cassettes/contract.yaml': contract, 'cassettes/editor.yaml': old });
    repo.commit();
    repo.put({ 'cassettes/contract.yaml': weatherCassette(['city', 'country']), 'cassettes/editor.yaml': broken });
    const files = ['main:cassettes/contract.yaml', 'cassettes/contract.yaml'];
    const { stdout, status } = run(repo.folder, '--used-by', 'cassettes/**', '--fail-on', 'used', ...files);
    expect(stdout).toContain('used by main:cassettes/editor.yaml:6');
    expect(stdout).toContain('1 used, 0 used by none, in 3 cassettes of cassettes/** (with those of main).');
    expect(status).toBe(1);
  });
});

describe('diff --fail-on breaking', () => {
  it('passes a further call of the client, and fails one that is not shown again or that the server makes', () => {
    const repo = repository();
    const more = weatherCassette(['city'], { city: 'Oslo' }, { city: 'Rome' });
    repo.put({ 'old.yaml': old, 'more.yaml': more, 'asks.yaml': `${old}- server: { id: 9, method: roots/list }\n` });
    const breaking = (...files: string[]) => run(repo.folder, '--fail-on', 'breaking', ...files);
    const passed = breaking('--junit', 'diff.xml', 'old.yaml', 'more.yaml');
    expect(passed.stdout).toContain(
      'note: --fail-on breaking does not fail tools/call "weather": the client did not say this (more.yaml:8)',
    );
    expect(passed.status).toBe(0);
    expect(readFileSync(join(repo.folder, 'diff.xml'), 'utf8')).toContain('the client did not say this</system-out>');
    expect(breaking('more.yaml', 'old.yaml').status).toBe(1);
    expect(breaking('old.yaml', 'asks.yaml').status).toBe(1);
    expect(run(repo.folder, 'old.yaml', 'more.yaml').status).toBe(1);
  });
});
