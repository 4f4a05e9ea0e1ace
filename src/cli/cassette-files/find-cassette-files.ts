import { existsSync, readdirSync, statSync } from 'node:fs';
import { McpRecordError } from '../../kernel/errors.ts';

/** Files among which a pattern finds cassettes: those of the disk, or of a revision of git. Paths have `/`. */
export interface FileTree {
  kindOf(path: string): 'file' | 'folder' | undefined;
  /** Returns what a folder has: nothing if it is none. An empty path is the folder that paths begin at. */
  entriesOf(folder: string): readonly FileTreeEntry[];
}

export interface FileTreeEntry {
  name: string;
  isFolder: boolean;
}

/**
 * Returns the files that a pattern names, in order: a file, the cassettes in a folder and in its folders, or the
 * cassettes that match `*`, `?` and `**`. `**` enters no hidden folder, as in a shell. A folder that is named is read with
 * its hidden ones, since a check has to see all of it. Neither enters `node_modules` or `.git`.
 * @throws McpRecordError CASSETTE_NOT_FOUND if there is none
 */
export function findCassettes(pattern: string): string[] {
  const found = cassettesIn(DISK, pattern);
  if (found.length === 0) throw noneFound(pattern);
  return found;
}

/**
 * Returns the cassettes that a command line names: files, folders, and quoted patterns. A file that does not exist stays
 * one of them: whoever reads it reports it. A pattern without a match stays, too.
 */
export function cassettesNamed(args: readonly string[]): string[] {
  return args.flatMap((name) => {
    const found = DISK.kindOf(name) === 'file' ? [] : cassettesIn(DISK, name);
    return found.length === 0 ? [name] : found;
  });
}

/** Returns the files that a pattern names in a tree of files, as {@link findCassettes}: an empty list if there is none. */
export function cassettesIn(tree: FileTree, pattern: string): string[] {
  const path = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  return [...new Set(filesOf(tree, path))].sort();
}

/** Files of the disk. */
export const DISK: FileTree = {
  kindOf: (path) => (existsSync(path) ? (statSync(path).isDirectory() ? 'folder' : 'file') : undefined),
  entriesOf: (folder) => entriesOnDisk(folder).map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() })),
};

function filesOf(tree: FileTree, path: string): string[] {
  const kind = tree.kindOf(path);
  if (kind !== undefined) return kind === 'folder' ? cassettesBelow(tree, path) : [path];
  const steps = path.split('/');
  const first = steps.findIndex((step) => /[*?]/.test(step));
  if (first < 0) return [];
  const rest = steps.slice(first).filter((step) => step !== '');
  const base = path.startsWith('/') && first === 1 ? '/' : steps.slice(0, first).join('/');
  return walk(tree, base, rest.at(-1) === DEEP ? [...rest, '*'] : rest);
}

/** Step of a pattern that stands for any number of folders. */
const DEEP = '**';
const ENDING = /\.ya?ml$/;

/** Returns all cassettes in a folder and its folders. */
function cassettesBelow(tree: FileTree, folder: string): string[] {
  return tree.entriesOf(folder).flatMap(({ name, isFolder }): string[] => {
    const path = pathIn(folder, name);
    if (isFolder) return name === '.git' || name === 'node_modules' ? [] : cassettesBelow(tree, path);
    return ENDING.test(name) ? [path] : [];
  });
}

function pathIn(folder: string, name: string): string {
  return folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}

/** Returns the files in a folder whose paths match the steps of a pattern. */
function walk(tree: FileTree, folder: string, [step = '', ...rest]: readonly string[]): string[] {
  const isDeep = step === DEEP;
  const inFolder = tree.entriesOf(folder).flatMap(({ name, isFolder }): string[] => {
    if (isDeep ? isPassedBy(name) : !isMatch(name, step)) return [];
    const path = pathIn(folder, name);
    if (isFolder) return isDeep ? walk(tree, path, [step, ...rest]) : rest.length > 0 ? walk(tree, path, rest) : [];
    return !isDeep && rest.length === 0 && ENDING.test(name) ? [path] : [];
  });
  return isDeep ? [...walk(tree, folder, rest), ...inFolder] : inFolder;
}

function isPassedBy(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** Reports whether a name matches one step. As in a shell, a wildcard stands for no name that begins with a dot. */
function isMatch(name: string, step: string): boolean {
  if (name.startsWith('.') && !step.startsWith('.')) return false;
  let [at, from] = [0, 0];
  let star: { at: number; from: number } | undefined;
  while (at < name.length) {
    if (step[from] === '*') star = { at, from: ++from };
    else if (step[from] === '?' || (from < step.length && step[from] === name[at])) {
      at++;
      from++;
    } else if (star === undefined) return false;
    else {
      // The last star takes one character more.
      star.at++;
      [at, from] = [star.at, star.from];
    }
  }
  return /^\**$/.test(step.slice(from));
}

function entriesOnDisk(folder: string) {
  try {
    return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

/** Returns the error for a pattern that names no cassette. */
export function noneFound(pattern: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_FOUND',
    what: `Cannot find the cassettes ${pattern}`,
    why: 'no file that ends in .yaml or .yml matches',
    next: "Check the folder. Quote a pattern, so that the shell does not expand it: 'cassettes/**'.",
  });
}
