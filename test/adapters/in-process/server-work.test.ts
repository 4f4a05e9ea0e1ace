import { readFile } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ServerWork } from '../../../src/adapters/in-process/server-work.ts';

/** Returns what has run by the time when the work of a server is done, which `start` begins. */
async function doneBy(start: (did: (what: string) => void) => void, waitMax = 2_000): Promise<string[]> {
  const work = new ServerWork();
  const did: string[] = [];
  work.run(() => start((what) => did.push(what)));
  await new Promise<void>((resolve) => work.whenDone(waitMax, resolve));
  work.stop();
  return did;
}

describe('the work of a server is done', () => {
  it('at once without work, and where all of it was taken back', async () => {
    expect(await doneBy(() => {})).toEqual([]);
    expect(await doneBy((did) => clearTimeout(setTimeout(did, 500, 'timer')))).toEqual([]);
  });

  it('after its timers, its files and what follows from them', async () => {
    const steps = (did: (what: string) => void) => {
      setTimeout(() => {
        did('timer');
        readFile(import.meta.filename, () => {
          did('file');
          setImmediate(did, 'immediate');
        });
      }, 5);
    };
    expect(await doneBy(steps)).toEqual(['timer', 'file', 'immediate']);
  });

  it('when a timer that is cleared later was the last', async () => {
    const clears = (did: (what: string) => void) => {
      const long = setTimeout(did, 50_000, 'never');
      setTimeout(() => {
        did('cleared');
        clearTimeout(long);
      }, 5);
    };
    const started = performance.now();
    expect(await doneBy(clears, 60_000)).toEqual(['cleared']);
    expect(performance.now() - started).toBeLessThan(50_000);
  });

  it('without a timer that is longer than the longest wait', async () => {
    let long: NodeJS.Timeout | undefined;
    const started = performance.now();
    const waits = (did: (what: string) => void) => {
      long = setTimeout(did, 60_000, 'never');
    };
    expect(await doneBy(waits, 50_000)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(50_000);
    clearTimeout(long);
  });

  it('after the longest wait, if it never ends by itself', async () => {
    const again = () => void setTimeout(again, 1);
    expect(await doneBy(again, 20)).toEqual([]);
  });

  it('without what is no part of it', async () => {
    const work = new ServerWork();
    const did: string[] = [];
    const outside = setTimeout(() => did.push('of the test'), 100);
    work.run(() => work.runOutside(() => setTimeout(() => did.push('of the client'), 100)));
    await new Promise<void>((resolve) => work.whenDone(2_000, resolve));
    work.stop();
    clearTimeout(outside);
    expect(did).toEqual([]);
  });
});
