import { posix, relative } from 'node:path';
import type { FileTree, FileTreeEntry } from '../cassette-files/find-cassette-files.ts';
import { isOtherFile } from '../cassette-files/skip-non-cassettes.ts';
import { noRevision, requireRevision, runGit } from './run-git.ts';

/** Files of a git revision, by path from a folder of the repository. */
export interface RevisionFileTree extends FileTree {
  /** Returns the name that git has for a path: `main:cassettes/weather.yaml`. */
  nameOf(path: string): string;
  /** Reports whether a path is in the repository. */
  has(path: string): boolean;
}

/**
 * Reads the names of a revision's files; of the index for an empty revision. Paths begin at `from`: the current folder,
 * or the root of the repository.
 * @throws McpRecordError USAGE_NO_GIT, USAGE_NO_REVISION
 */
export function revisionFileTree(revision: string, from: 'folder' | 'root'): RevisionFileTree {
  const name = `${revision}:`;
  requireRevision(name, revision);
  const listing =
    revision === ''
      ? runGit('ls-files', '-z', '--full-name', '--', ':/')
      : runGit('ls-tree', '-r', '-z', '--name-only', '--full-tree', '--end-of-options', revision);
  if (listing.status !== 0) throw noRevision(name, 'git cannot list its files', `Run git ls-tree -r ${revision}.`);
  const folders = foldersOf(Buffer.from(listing.stdout).toString('utf8').split('\0'));
  const prefix = from === 'root' ? '' : Buffer.from(runGit('rev-parse', '--show-prefix').stdout).toString().trimEnd();
  const full = (path: string) => {
    const fromHere = posix.isAbsolute(path) || /^[A-Za-z]:\//.test(path) ? relative('.', path) : path;
    return posix.join(prefix, fromHere.replaceAll('\\', '/')).replace(/\/$/, '');
  };
  const has = (path: string) => !/^\.\.(?:\/|$)/.test(full(path));
  return {
    has,
    nameOf: (path) => `${revision}:${full(path)}`,
    isOther: (path) => {
      const blob = runGit('cat-file', 'blob', '--end-of-options', `${revision}:${full(path)}`);
      return blob.status === 0 && isOtherFile(path, blob.stdout);
    },
    entriesOf: (folder) => [...(folders.get(full(folder)) ?? new Map()).values()],
    kindOf: (path) => {
      const at = full(path);
      if (folders.has(at)) return 'folder';
      const entry = folders.get(parentOf(at))?.get(posix.basename(at));
      return entry && 'file';
    },
  };
}

type Folder = Map<string, FileTreeEntry>;

/** Groups paths by folder: maps the path of each folder to its entries. The root is `.`. */
function foldersOf(paths: readonly string[]): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>([['.', new Map()]]);
  const folderAt = (path: string): Folder => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const folder: Folder = new Map();
    folders.set(path, folder);
    folderAt(parentOf(path)).set(posix.basename(path), { name: posix.basename(path), isFolder: true });
    return folder;
  };
  for (const path of paths) {
    if (path === '') continue;
    const name = posix.basename(path);
    folderAt(parentOf(path)).set(name, { name, isFolder: false });
  }
  return folders;
}

function parentOf(path: string): string {
  return posix.dirname(path);
}
