import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { systemClock } from './clock.ts';

/** Editors write a file in several steps. Writes within this time count as one change. */
const SETTLED_MS = 50;

/**
 * Runs `task` after each change of a file, including a replacement by a new file. The watch does not keep this process
 * alive.
 */
export function watchFile(path: string, task: () => void): void {
  let cancel = () => {};
  watch(dirname(path), { persistent: false }, (_, name) => {
    if (name !== null && name !== basename(path)) return;
    cancel();
    cancel = systemClock.after(SETTLED_MS, task);
  }).on('error', () => {});
}

/**
 * Calls `changed` for each changed file of a folder, until the returned function is called. The watch keeps this
 * process alive.
 * @throws the error of the file system
 */
export function watchFolder(folder: string, changed: (name: string) => void): () => void {
  const watcher = watch(folder, (_, name) => void (name !== null && changed(name)));
  watcher.on('error', () => {});
  return () => watcher.close();
}
