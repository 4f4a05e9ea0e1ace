import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createVitest } from 'vitest/node';
import { LongestFirst } from './support/own/longest-first.ts';
import { ELSEWHERE, THAT_TAKE_LONGEST } from './support/own/own-tests.ts';

const root = join(import.meta.dirname, '..');
const { scripts, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  exports: Record<string, unknown>;
};

/** The files of tests that a script of package.json runs, by project. */
function filesOf(script: string): { file: string; project: string }[] {
  const options = /vitest run(.*)$/.exec(scripts[script]!)![1]!;
  const listed = execFileSync('bash', ['-c', `node_modules/.bin/vitest list --filesOnly --json ${options}`], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const files = JSON.parse(listed) as { file: string; projectName: string }[];
  return files.map(({ file, projectName }) => ({
    file: file.slice(root.length + 1),
    project: projectName,
  }));
}

const all = filesOf('test:all');
const quick = filesOf('test').map(({ file }) => file);

/** What is to be observed in `npm test`, and the test that does so, and fails where something is left out. */
const SHOWN_BY: readonly (readonly [what: string, file: string])[] = [
  ['each fault over stdio, of a live server and of a mock server', 'test/e2e/faults/stdio-bytes.test.ts'],
  ['each fault over HTTP, of a live server and of a mock server', 'test/scenario/byte-table.test.ts'],
  ['each fault within a process', 'test/modes/faulty-channel.test.ts'],
  ['the recorder, the mock server and the mock client over each transport', 'test/manifest/coverage.test.ts'],
  ['a recorder in a process of its own over stdio', 'test/record/stdio/record-stdio.test.ts'],
  ['a recorder in a process of its own between stdio and HTTP', 'test/e2e/http/bridge.test.ts'],
  ['a mock server in a process of its own over stdio, with clients on SDKs', 'test/e2e/cassettes.test.ts'],
  ['a mock server in a process of its own over HTTP', 'test/e2e/http/replay.test.ts'],
  ['a mock client in a process of its own over each transport', 'test/e2e/hand-written/verify.test.ts'],
  ['a sweep that a program runs', 'test/sweep/client/sweep.test.ts'],
  ['MSW', 'test/e2e/adapters/msw-2.test.ts'],
  ['nock', 'test/e2e/adapters/nock-14.test.ts'],
  ['the fixtures of vitest', 'test/adapters/vitest.test.ts'],
  ['signals, to the recorder and through it', 'test/e2e/resilience/signals.test.ts'],
];

describe('npm run test:all', () => {
  it('runs each file of tests, in one project', () => {
    const there = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .map((name) => `test/${name}`)
      .filter((name) => name.endsWith('.test.ts'));
    expect(all.map(({ file }) => file).sort()).toEqual(there.sort());
  });
});

describe('the long tests', () => {
  it('are dealt out to parts, of which each has its share of the longest', async () => {
    const count = 3;
    const parts: string[][] = [];
    for (let index = 1; index <= count; index++) {
      await using vitest = Object.assign(
        await createVitest('test', { root, watch: false, project: ['long*'], shard: `${index}/${count}` }),
        { [Symbol.asyncDispose]: () => vitest.close() },
      );
      const dealt = await new LongestFirst(vitest).shard(await vitest.globTestSpecifications());
      parts.push(dealt.map(({ moduleId }) => moduleId.slice(root.length + 1)));
    }
    const long = all.filter(({ project }) => project.startsWith('long')).map(({ file }) => file);
    expect(parts.flat().sort()).toEqual(long.sort());
    const shares = parts.map((part) => part.filter((file) => THAT_TAKE_LONGEST.includes(file)).length);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  });

  it('start with those that take longest, and leave none out', async () => {
    await using vitest = Object.assign(await createVitest('test', { root, watch: false, project: ['long'] }), {
      [Symbol.asyncDispose]: () => vitest.close(),
    });
    const specifications = await vitest.globTestSpecifications();
    const sorted = await new LongestFirst(vitest).sort(specifications);
    const files = sorted.map(({ moduleId }) => moduleId.slice(root.length + 1));
    expect(files.slice(0, THAT_TAKE_LONGEST.length)).toEqual(THAT_TAKE_LONGEST);
    const long = all.filter(({ project }) => project === 'long').map(({ file }) => file);
    expect([...files].sort()).toEqual(long.sort());
  });
});

describe('npm test', () => {
  it('runs all tests but those that take long', () => {
    const long = all.filter(({ project }) => project.startsWith('long')).map(({ file }) => file);
    expect(long).not.toEqual([]);
    expect([...quick, ...long].sort()).toEqual(all.map(({ file }) => file).sort());
  });

  it('runs tests of each room', () => {
    const rooms = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const untested = rooms.filter((room) => !quick.some((file) => file.startsWith(`test/${room}/`)));
    expect(untested).toEqual([]);
  });

  it('runs all tests of sources, to which coverage holds each file', () => {
    const sources = all.filter(({ project }) => project === 'sources').map(({ file }) => file);
    expect(sources.filter((file) => !quick.includes(file))).toEqual([]);
  });

  const isOfNode = ([, tests]: [string, readonly string[]]) => !tests.every((start) => start === 'test/browser/');
  it.each(Object.entries(ELSEWHERE).filter(isOfNode))(
    'runs a test of %s, which runs in processes of its own',
    (_, tests) => {
      expect(quick.filter((file) => tests.some((start) => file.startsWith(start)))).not.toEqual([]);
    },
  );

  it('runs a test of each entry point', () => {
    const tests = quick.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const isUsed = (entry: string) =>
      tests.includes(`/src/adapters${entry.slice(1)}.ts'`) || tests.includes(`mcp-record${entry.slice(1)}'`);
    const entries = Object.keys(exports).filter((entry) => /^\.\/[\w/]+$/.test(entry));
    expect(entries.length).toBeGreaterThan(5);
    expect(entries.filter((entry) => !isUsed(entry.replace('vitest/', 'vitest-')))).toEqual([]);
  });

  it.each(SHOWN_BY)('shows %s', (_, file) => {
    expect(existsSync(join(root, file))).toBe(true);
    expect(quick).toContain(file);
  });
});
