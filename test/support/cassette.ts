import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { getCurrentTest, getHooks } from 'vitest/suite';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';

/** A folder for the tests of a file, gone when they are. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-test-'));
  removeAfterTests(folder);
  return folder;
}

/** Removes a folder when the tests of the file are done, also where a test has made it. */
export function removeAfterTests(folder: string): void {
  const remove = () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      // Windows removes no file that is open, such as the cassette of a session that a test has not ended.
      if (process.platform !== 'win32') throw error;
    }
  };
  const test = getCurrentTest();
  // Vitest forgets an `afterAll` of a test that runs. The first hook runs last, when what works in the folder has ended.
  if (test) getHooks(test.file).afterAll.unshift(remove);
  else afterAll(remove);
}

/** Makes names in `folder` that are free. */
export function freeNames(folder: string): () => string {
  let files = 0;
  return () => join(folder, `cassette-${files++}.yaml`);
}

export function framesOf(file: string): Frame[] {
  return loadCassette(file).events.map(({ frame }) => frame);
}

/** Resolves when the file, which somebody else writes, holds `text` so many times. */
export function holds(file: string, text: string, times = 1): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!existsSync(file) || readFileSync(file, 'utf8').split(text).length <= times) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(dirname(file), look);
    look();
  });
}

/** Who said what in a cassette, without times. */
export function said(file: string): unknown[][] {
  return framesOf(file).map((frame) => {
    if (frame.kind === 'message') return [frame.from, frame.json.value];
    if (frame.kind === 'line') return [frame.on === 'stderr' ? 'stderr' : frame.from, frame.data];
    return frame.kind === 'exit' ? ['exit', frame.status] : [frame.kind, frame.from];
  });
}
