import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { blockFor, type Milliseconds } from '../../kernel/clock.ts';

/** Mode of a new file with session data: readable by its owner only. */
export const OWNER_ONLY: number = 0o600;

/**
 * Replaces an existing file as a whole or not at all. Concurrent readers see the old or the new text. Keeps owner, mode
 * and symbolic links. Throws file system errors.
 */
export function replaceFile(file: string, text: string): void {
  const path = realpathSync(file);
  const { mode, uid, gid } = statSync(path);
  const { name, descriptor } = createBeside(path, mode);
  put({ name, descriptor, text }, () => {
    // The umask has removed permissions from the mode of the new file.
    keepOwner(name, uid, gid);
    chmodSync(name, mode);
    renameFile(name, path);
  });
}

/** Gives a replacement file the owner of the replaced file. Only root can do that; other users keep ownership. */
function keepOwner(name: string, uid: number, gid: number): void {
  const own = statSync(name);
  if (own.uid === uid && own.gid === gid) return;
  try {
    chownSync(name, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/**
 * Copies a file to `FILE.backup`, or to the next free `FILE.backup-2`, with its owner and mode. A backup that already has
 * the same bytes and mode is kept in its place. Returns the name of the backup. Throws file system errors.
 */
export function backUpFile(file: string): string {
  const { mode, uid, gid } = statSync(file);
  const bytes = readFileSync(file);
  for (let n = 1; ; n++) {
    const name = `${file}.backup${n === 1 ? '' : `-${n}`}`;
    const there = lstatSync(name, { throwIfNoEntry: false });
    if (there?.isFile() && there.mode === mode && readFileSync(name).equals(bytes)) return name;
    if (there !== undefined) continue;
    put({ name, descriptor: openSync(name, 'wx', mode & OWNER_ONLY), text: bytes }, () => {
      keepOwner(name, uid, gid);
      chmodSync(name, mode);
    });
    return name;
  }
}

/**
 * Writes a new or existing file as a whole or not at all. A new file gets `mode` less the umask. A path that is no
 * regular file, such as `/dev/stdout`, is written to directly. Throws file system errors.
 */
export function writeWhole(file: string, text: string, mode: number): void {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isFile()) return replaceFile(file, text);
  if (there !== undefined) return writeFileSync(file, text);
  const { name, descriptor } = createBeside(file, mode);
  put({ name, descriptor, text }, () => renameFile(name, file));
}

/** Creates a file as a whole or not at all. Throws file system errors. */
export function writeNew(file: string, text: string, mode: number): void {
  put({ name: file, descriptor: openSync(file, 'wx', mode), text });
}

/** Error codes on Windows while another program has a file open, such as an editor or a virus scanner. */
const IN_USE: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Waits between attempts, a second in total. */
const WAITS: readonly Milliseconds[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Replaceable parts of a rename, for tests. */
export interface RenameParts {
  platform?: NodeJS.Platform;
  rename?: (from: string, to: string) => void;
  block?: (time: Milliseconds) => void;
}

/**
 * Renames a file, and replaces an existing one. Windows refuses this while another program has that file open, so it is
 * retried for a second. Throws file system errors.
 */
export function renameFile(
  from: string,
  to: string,
  { platform = process.platform, rename = renameSync, block = blockFor }: RenameParts = {},
): void {
  for (const wait of platform === 'win32' ? WAITS : []) {
    try {
      return rename(from, to);
    } catch (error) {
      if (!IN_USE.has((error as NodeJS.ErrnoException).code)) throw error;
      block(wait);
    }
  }
  rename(from, to);
}

interface Written {
  name: string;
  descriptor: number;
  text: string | Uint8Array;
}

/** Writes and closes an open file, then calls `then`. If any of this fails, the file is removed. */
function put({ name, descriptor, text }: Written, then: () => void = () => {}): void {
  try {
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    then();
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  }
}

/** Creates a temporary file beside `path`. Files of another process with the same number are left alone. */
function createBeside(path: string, mode: number): { name: string; descriptor: number } {
  for (let n = 1; ; n++) {
    const name = `${path}.${process.pid}${n === 1 ? '' : `-${n}`}.tmp`;
    try {
      return { name, descriptor: openSync(name, 'wx', mode) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
