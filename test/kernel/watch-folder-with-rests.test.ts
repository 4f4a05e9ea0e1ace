import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { watchFolder, watchFolderWithRests } from '../../src/kernel/watch-paths.ts';
import { temporaryFolder } from '../support/cassette.ts';

const folder = temporaryFolder();
const REST = 100;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Writes to a file, and resolves once another watch of the folder has reported it. */
const written = (name: string) =>
  new Promise<void>((resolve) => {
    const end = watchFolder(folder, (changed) => {
      if (changed !== name) return;
      end();
      // Both watches have their notifications in the same turn of the event loop, or this one before.
      setImmediate(() => setImmediate(resolve));
    });
    appendFileSync(join(folder, name), 'x');
  });

// On Windows, each watch of a folder has its notifications at another time.
describe.skipIf(process.platform === 'win32')('a watch with rests', () => {
  it('reports one change, nothing during the rest after it, and the first change after that', async () => {
    const clock = new ManualClock();
    const told: string[] = [];
    const rests = { clock, rest: () => REST, look: () => void told.push('look') };
    ends.push(watchFolderWithRests(folder, rests, (name) => void told.push(name)));
    await written('one.yaml');
    for (let count = 0; count < 20; count++) await written('one.yaml');
    await written('two.yaml');
    expect(told).toEqual(['one.yaml']);
    clock.advance(REST - 1);
    expect(told).toEqual(['one.yaml']);
    clock.advance(1);
    expect(told).toEqual(['one.yaml', 'look']);
    await written('two.yaml');
    expect(told).toEqual(['one.yaml', 'look', 'two.yaml']);
  });

  it('reports nothing and looks for nothing once it has ended, during a rest or not', async () => {
    const clock = new ManualClock();
    const told: string[] = [];
    const rests = { clock, rest: () => REST, look: () => void told.push('look') };
    const end = watchFolderWithRests(folder, rests, (name) => void told.push(name));
    await written('one.yaml');
    end();
    clock.advance(REST);
    await written('one.yaml');
    expect(told).toEqual(['one.yaml']);
  });

  it('looks after each rest while the folder is gone, and watches it when it is back', async () => {
    const gone = join(folder, 'gone');
    mkdirSync(gone);
    const clock = new ManualClock();
    let looks = 0;
    let changed = (_name: string) => {};
    const nextChange = () =>
      new Promise<string>((resolve) => {
        changed = resolve;
      });
    const rests = { clock, rest: () => REST, look: () => void looks++ };
    ends.push(watchFolderWithRests(gone, rests, (name) => changed(name)));
    const removal = nextChange();
    rmSync(gone, { recursive: true });
    await removal;
    clock.advance(REST);
    clock.advance(REST);
    expect(looks).toBe(2);
    mkdirSync(gone);
    clock.advance(REST);
    expect(looks).toBe(3);
    const creation = nextChange();
    writeFileSync(join(gone, 'back.yaml'), '');
    expect(await creation).toBe('back.yaml');
  });
});
