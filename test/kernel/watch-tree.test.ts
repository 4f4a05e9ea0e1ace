import { mkdirSync, realpathSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Cancel, systemClock as clock } from '../../src/kernel/clock.ts';
import { watchTree } from '../../src/kernel/watch-paths.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { eachOnPosix } from '../support/on-posix.ts';

const watches: Cancel[] = [];
afterEach(() => {
  for (const end of watches.splice(0)) end();
});

/** A folder with a script, and what changes in it. */
function folder() {
  const root = join(realpathSync(temporaryFolder()), 'src');
  mkdirSync(join(root, 'node_modules', 'x'), { recursive: true });
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, 'lib'));
  const inside = (...names: string[]) => join(root, ...names);
  for (const name of ['server.js', 'lib/a.js', 'node_modules/x/b.js', '.git/c.js', 'data.db'])
    writeFileSync(inside(name), 'one');
  return { root, inside };
}

function watching(what: { files?: string[]; folders?: string[] }) {
  const changes: string[] = [];
  let heard: () => void = () => {};
  const tree = { files: [], folders: [], ...what, isWatched: (path: string) => path.endsWith('.js'), clock };
  const end = watchTree(tree, (path) => {
    changes.push(path);
    heard();
  });
  watches.push(end);
  const next = async () => {
    if (changes.length === 0)
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    return changes.splice(0);
  };
  return { next, end, changes };
}

it('a file that is written, replaced, or made again has changed', async () => {
  const { inside } = folder();
  const script = inside('server.js');
  const { next } = watching({ files: [script] });
  writeFileSync(script, 'two!');
  expect(await next()).toEqual([script]);
  writeFileSync(inside('new.js'), 'three!!');
  renameSync(inside('new.js'), script);
  expect(await next()).toEqual([script]);
  rmSync(script);
  writeFileSync(script, 'again, and longer');
  expect(await next()).toEqual([script]);
});

it('a file without a new time or size has not changed, nor has one beside it', async () => {
  const { inside } = folder();
  const [script, other] = [inside('server.js'), inside('lib', 'a.js')];
  const then = new Date(1_000_000_000_000);
  utimesSync(script, then, then);
  const { next } = watching({ files: [script, other] });
  utimesSync(script, then, then);
  writeFileSync(inside('data.db'), 'two!');
  writeFileSync(inside('lib', 'beside.js'), 'two!');
  writeFileSync(other, 'two!');
  expect(await next()).toEqual([other]);
});

it('a folder stands for the sources in it, also in new folders, and not for packages, hidden folders or data', async () => {
  const { root, inside } = folder();
  const { next } = watching({ folders: [root] });
  writeFileSync(inside('node_modules', 'x', 'b.js'), 'two!');
  writeFileSync(inside('.git', 'c.js'), 'two!');
  writeFileSync(inside('data.db'), 'two!');
  writeFileSync(inside('lib', 'a.js'), 'two!');
  expect(await next()).toEqual([inside('lib', 'a.js')]);
  mkdirSync(inside('later'));
  writeFileSync(inside('later', 'd.js'), 'one');
  expect(await next()).toEqual([inside('later', 'd.js')]);
  writeFileSync(inside('later', 'd.js'), 'two!');
  expect(await next()).toEqual([inside('later', 'd.js')]);
});

eachOnPosix(
  'watched folders can be removed',
  ['files', 'folders'] as const,
  'a folder that a build removes and makes again is still watched: %s',
  async (kind) => {
    const { root, inside } = folder();
    const script = inside('server.js');
    const { next } = watching({ [kind]: kind === 'files' ? [script] : [root] });
    rmSync(root, { recursive: true });
    mkdirSync(root);
    writeFileSync(script, 'built');
    expect(await next()).toEqual([script]);
    writeFileSync(script, 'built again');
    expect(await next()).toEqual([script]);
  },
);

it('many writes are one change, and none is heard after the end', async () => {
  const { inside } = folder();
  const { next, end, changes } = watching({ files: [inside('server.js')] });
  for (let n = 0; n < 20; n++) writeFileSync(inside('server.js'), 'x'.repeat(n + 5));
  expect(await next()).toHaveLength(1);
  writeFileSync(inside('server.js'), 'last');
  end();
  const other = watching({ files: [inside('lib', 'a.js')] });
  writeFileSync(inside('lib', 'a.js'), 'two!');
  await other.next();
  expect(changes).toEqual([]);
});
