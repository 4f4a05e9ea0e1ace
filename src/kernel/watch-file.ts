import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { systemClock } from './clock.ts';

/** Editors write a file in several steps: what is written within this time is one change. */
const SETTLED_MS = 50;

/** Runs `task` after each change of a file, also where an editor puts a new file in its place. It does not keep this process alive. */
export function watchFile(path: string, task: () => void): void {
  let cancel = () => {};
  watch(dirname(path), { persistent: false }, (_, name) => {
    if (name !== null && name !== basename(path)) return;
    cancel();
    cancel = systemClock.after(SETTLED_MS, task);
  }).on('error', () => {});
}

/**
 * Tells of each file of a folder that changes, until the function that is returned is called. It keeps this process alive. Throws
 * what the file system throws.
 */
export function watchFolder(folder: string, changed: (name: string) => void): () => void {
  const watcher = watch(folder, (_, name) => void (name !== null && changed(name)));
  watcher.on('error', () => {});
  return () => watcher.close();
}
