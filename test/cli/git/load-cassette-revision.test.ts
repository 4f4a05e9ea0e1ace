import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadCassetteRevision } from '../../../src/cli/git/load-cassette-revision.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const file = join(folder, 'cassettes', 'a.yaml');
const text = (method: string) => `format: mcp-record/1\nevents:\n- client: { id: 1, method: ${method} }\n`;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
const [home, path] = [process.cwd(), process.env.PATH];
const methodIn = (name: string) => {
  const [event] = loadCassetteRevision(name).events;
  return event?.frame.kind === 'message' && event.frame.json.text.match(/method":\s*"(\w+)"/)?.[1];
};

beforeAll(() => {
  mkdirSync(join(folder, 'cassettes'));
  writeFileSync(file, text('before'));
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'a');
  writeFileSync(file, text('staged'));
  git('add', '.');
  writeFileSync(file, text('after'));
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(home);
  process.env.PATH = path;
});

it('reads a cassette of a revision, of the index and of the disk', () => {
  expect(methodIn('main:cassettes/a.yaml')).toBe('before');
  expect(methodIn('HEAD:./cassettes/a.yaml')).toBe('before');
  expect(methodIn(':cassettes/a.yaml')).toBe('staged');
  expect(methodIn('cassettes/a.yaml')).toBe('after');
  expect(loadCassetteRevision('main:cassettes/a.yaml').file).toBe('main:cassettes/a.yaml');
});

it('reads a file of such a name first', () => {
  writeFileSync(join(folder, 'main:b.yaml'), text('mine'));
  expect(methodIn('main:b.yaml')).toBe('mine');
});

it('says what is missing: the revision, the file, the repository or git', () => {
  const failing = (name: string) => expect(() => loadCassetteRevision(name));
  failing('mian:cassettes/a.yaml').toThrow(/git has no revision mian.*\[USAGE_NO_REVISION\]/);
  failing('main:a.yaml').toThrow(
    /main has no file a\.yaml.*\[USAGE_NO_REVISION\][\s\S]*from this folder: main:\.\/a\.yaml/,
  );
  failing('mian:').toThrow(/^Cannot read mian: git/);
  failing('main:a.yaml').toThrow(/new since main, there is nothing to compare/);
  failing('origin/main:a.yaml').toThrow(/run git fetch origin main, and write FETCH_HEAD in place of origin\/main/);
  for (const several of ['main:cassettes', 'main:cassettes/*.yaml', 'main:'])
    failing(several).toThrow(/no single file.*\[USAGE_NO_REVISION\][\s\S]*mcp-record diff main: /);
  failing('--output=x:a.yaml').toThrow('[USAGE_NO_REVISION]');
  failing('C:\\a.yaml').toThrow('[CASSETTE_NOT_FOUND]');
  failing('a.yaml').toThrow('[CASSETTE_NOT_FOUND]');
  process.chdir(temporaryFolder());
  failing('main:a.yaml').toThrow(/in no repository of git.*\[USAGE_NO_GIT\]/);
  process.env.PATH = folder;
  failing('main:a.yaml').toThrow(/the program git does not start.*\[USAGE_NO_GIT\]/);
});
