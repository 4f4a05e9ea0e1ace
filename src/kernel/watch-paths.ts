import { type FSWatcher, readdirSync, type Stats, statSync, watch } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { type Cancel, type Clock, type Milliseconds, systemClock } from './clock.ts';

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
export function watchFolder(folder: string, changed: (name: string) => void): Cancel {
  const watcher = watch(folder, (_, name) => void (name !== null && changed(name)));
  watcher.on('error', () => {});
  return () => watcher.close();
}

export interface Rests {
  clock: Clock;
  /** Returns the length of the next rest. */
  rest(): Milliseconds;
  /** Finds the changes made during a rest that has ended. */
  look(): void;
}

/**
 * Calls `changed` like `watchFolder`, and rests after each change. A file that is written a thousand times a second then
 * wakes this process a few times a second, and takes no processor time from its writer.
 * @throws the error of the file system
 */
export function watchFolderWithRests(
  folder: string,
  { clock, rest, look }: Rests,
  changed: (name: string) => void,
): Cancel {
  let close: Cancel = () => {};
  const watchOn = () => {
    let isResting = false;
    const end = watchFolder(folder, (name) => {
      // The notifications of one turn may have passed the end of the watch.
      if (isResting) return;
      isResting = true;
      end();
      close = clock.after(rest(), resume);
      changed(name);
    });
    close = end;
  };
  const resume = () => {
    try {
      watchOn();
    } catch {
      // The folder is gone, or the system has no more watches.
      close = clock.after(rest(), resume);
    }
    look();
  };
  watchOn();
  return () => close();
}

export interface WatchedTree {
  /** Absolute paths of files. */
  files: readonly string[];
  /** Absolute paths of folders, watched with all subfolders. */
  folders: readonly string[];
  /** Reports whether a file of the folders counts. */
  isWatched(file: string): boolean;
  clock: Clock;
}

/** A build writes many files. Writes within this time count as one change. */
const BUILT: Milliseconds = 100;

/** Folders that hold no sources of one's own. */
const PASSED_OVER = /^(?:node_modules|__pycache__|\..*)$/;

/**
 * Calls `changed` with the path of a file after it was written or replaced, until the returned function is called. Files
 * that are gone count when they are back. Folders may be removed and made again. The watch does not keep this process
 * alive.
 */
export function watchTree({ files, folders, isWatched, clock }: WatchedTree, changed: (path: string) => void): Cancel {
  const watchers = new Map<string, { made: string; watcher: FSWatcher }>();
  const stamps = new Map<string, string>();
  const wanted = new Set(files);
  /** Parent folders, watched because a file or watched folder may be created again there. */
  const around = new Set([...files.map((file) => dirname(file)), ...folders].flatMap((path) => [path, dirname(path)]));
  let settle: Cancel = () => {};
  const isInside = (path: string) =>
    folders.some(
      (folder) =>
        path === folder ||
        (path.startsWith(folder + sep) &&
          path
            .slice(folder.length + 1)
            .split(sep)
            .every((name) => !PASSED_OVER.test(name))),
    );
  const look = (path: string, isNew: boolean) => {
    const isFolder = around.has(path) || isInside(path);
    if (!wanted.has(path) && !isFolder) return;
    const stat = statOf(path);
    if (stat?.isDirectory()) return enter(path, stat, isNew);
    if (!stat?.isFile() || (!wanted.has(path) && !isWatched(path))) return;
    const stamp = `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    if (stamps.get(path) === stamp) return;
    stamps.set(path, stamp);
    if (!isNew) return;
    settle();
    settle = clock.after(BUILT, () => changed(path));
  };
  const enter = (folder: string, { ino, birthtimeMs }: Stats, isNew: boolean) => {
    const known = watchers.get(folder);
    // A recreated folder may reuse the inode number of the old folder.
    const made = `${ino} ${birthtimeMs}`;
    if (known?.made === made) return;
    known?.watcher.close();
    const lookAtAll = (isLater: boolean) => {
      for (const name of isInside(folder) ? namesIn(folder) : []) look(join(folder, name), isLater);
      for (const path of [...wanted, ...around]) if (dirname(path) === folder && path !== folder) look(path, isLater);
    };
    const watcher = watch(folder, { persistent: false }, (_, name) =>
      name === null ? lookAtAll(true) : look(join(folder, name), true),
    );
    watcher.on('error', () => {});
    watchers.set(folder, { made, watcher });
    lookAtAll(isNew);
  };
  for (const path of around) look(path, false);
  return () => {
    settle();
    for (const { watcher } of watchers.values()) watcher.close();
  };
}

/** Returns what the file system knows of a path. Undefined: it is gone, or cannot be read. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
