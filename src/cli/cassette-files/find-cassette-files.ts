import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { readCassette } from '../../cassette/read/load-cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { say } from '../io/output.ts';
import { CASSETTE_ENDING, isOtherFile } from './skip-non-cassettes.ts';

/**
 * Files among which a pattern finds cassettes: files on the disk, or files of a git revision. Paths are separated by
 * `/`.
 */
export interface FileTree {
  kindOf(path: string): 'file' | 'folder' | undefined;
  /** Returns the entries of a folder. Empty: the path is not a folder. An empty path is the root of the tree. */
  entriesOf(folder: string): readonly FileTreeEntry[];
  /** Reports whether a file is certainly no cassette, as {@link isOtherFile}. */
  isOther(path: string): boolean;
}

export interface FileTreeEntry {
  name: string;
  isFolder: boolean;
  /** Real path of a folder that is a symbolic link. */
  target?: string;
}

/** Files that a pattern names. */
export interface FoundFiles {
  /** Cassettes, including files that may be damaged cassettes, in order. */
  files: string[];
  /** YAML files that are not cassettes. */
  others: string[];
}

/**
 * Returns the files that patterns name, in order: a file, the cassettes in a folder and in its folders, or the
 * cassettes that match `*`, `?` and `**`. `**` enters no hidden folder and no link, as in a shell. A folder that is named
 * is read with its hidden ones, and with what links lead to, since a check has to see all of it. Neither enters
 * `node_modules` or `.git`. Prints which files are no cassettes.
 * @throws McpRecordError CASSETTE_NOT_FOUND if a pattern names none
 */
export function findCassettes(patterns: readonly string[]): string[] {
  const found = patterns.map((pattern) => {
    const files = cassettesIn(DISK, pattern);
    if (files.files.length === 0) throw noneFound(pattern, files.others);
    return files;
  });
  sayPassedOver(found);
  return found.flatMap(({ files }) => files);
}

/**
 * Returns the cassettes that a command line names: files, folders, and quoted patterns. A file that does not exist stays
 * one of them: whoever reads it reports it. A pattern without a match stays, too. Prints which files are no cassettes.
 * @throws McpRecordError CASSETTE_NOT_FOUND for a folder without a cassette
 */
export function cassettesNamed(args: readonly string[]): string[] {
  const found = args.map((name): FoundFiles => {
    const { files, others } = cassettesIn(DISK, name);
    if (files.length === 0 && DISK.kindOf(name) === 'folder') throw noneFound(name, others);
    return { files: files.length === 0 ? [name] : files, others };
  });
  sayPassedOver(found);
  return found.flatMap(({ files }) => files);
}

/**
 * Returns the files that a pattern names in a tree of files, as {@link findCassettes}. A pattern that names a single
 * file always returns this file, cassette or not.
 */
export function cassettesIn(tree: FileTree, pattern: string): FoundFiles {
  const named = filesNamed(tree, pattern);
  if (tree.kindOf(pattern) === 'file') return { files: named, others: [] };
  const [files, others]: [string[], string[]] = [[], []];
  for (const file of named) (tree.isOther(file) ? others : files).push(file);
  // Folders contain many JSON files that nobody expects to be cassettes.
  return { files, others: others.filter((file) => !/\.json$/i.test(file)) };
}

/** Returns the files that a pattern names, cassettes or not. */
export function filesNamed(tree: FileTree, pattern: string): string[] {
  return [...new Set(filesOf(tree, inSlashes(pattern)))].sort();
}

/** Returns the files in named folders that are none of `cassettes`, without those in `node_modules` and `.git`. */
export function otherFilesIn(names: readonly string[], cassettes: readonly string[]): string[] {
  const searched = new Set(cassettes);
  const folders = names.filter((name) => DISK.kindOf(name) === 'folder');
  const all = folders.flatMap((name) => filesBelow(DISK, inSlashes(name), new Set(), () => true));
  return [...new Set(all)].filter((file) => !searched.has(file));
}

function inSlashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

/** Files of the disk. */
export const DISK: FileTree = {
  kindOf: (path) => (existsSync(path) ? (statSync(path).isDirectory() ? 'folder' : 'file') : undefined),
  entriesOf: (folder) =>
    entriesOnDisk(folder).map((entry) => {
      const target = entry.isSymbolicLink() ? linkedFolder(pathIn(folder, entry.name)) : undefined;
      const { name } = entry;
      return { name, isFolder: entry.isDirectory() || target !== undefined, ...(target !== undefined && { target }) };
    }),
  isOther(path) {
    try {
      return isOtherFile(path, readCassette(path));
    } catch {
      // Reading the file as a cassette later reports the same error.
      return false;
    }
  },
};

/** Returns the real path of a folder that a link leads to. */
function linkedFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function filesOf(tree: FileTree, path: string): string[] {
  const kind = tree.kindOf(path);
  if (kind !== undefined) return kind === 'folder' ? filesBelow(tree, path, new Set(), isNamedLikeCassette) : [path];
  const steps = path.split('/');
  const first = steps.findIndex((step) => /[*?]/.test(step));
  if (first < 0) return [];
  const rest = steps.slice(first).filter((step) => step !== '');
  const base = path.startsWith('/') && first === 1 ? '/' : steps.slice(0, first).join('/');
  return walk(tree, base, rest.at(-1) === DEEP ? [...rest, '*'] : rest);
}

/** Step of a pattern that stands for any number of folders. */
const DEEP = '**';

const isNamedLikeCassette = (name: string) => CASSETTE_ENDING.test(name);

/** Returns all files with such a name in a folder and its folders. `followed` has the folders that links have led to. */
function filesBelow(
  tree: FileTree,
  folder: string,
  followed: Set<string>,
  hasName: (name: string) => boolean,
): string[] {
  return tree.entriesOf(folder).flatMap(({ name, isFolder, target }): string[] => {
    const path = pathIn(folder, name);
    if (!isFolder) return hasName(name) ? [path] : [];
    if (name === '.git' || name === 'node_modules') return [];
    if (target !== undefined) {
      if (leadsBack(path, target) || followed.has(target)) return [];
      followed.add(target);
    }
    return filesBelow(tree, path, followed, hasName);
  });
}

/** Reports whether a link leads to a folder that it lies in, so that following it would never end. */
function leadsBack(link: string, target: string): boolean {
  const from = realpathSync(dirname(link));
  return from === target || from.startsWith(target.endsWith(sep) ? target : target + sep);
}

function pathIn(folder: string, name: string): string {
  return folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}

/** Returns the files in a folder whose paths match the steps of a pattern. */
function walk(tree: FileTree, folder: string, [step = '', ...rest]: readonly string[]): string[] {
  const isDeep = step === DEEP;
  const inFolder = tree.entriesOf(folder).flatMap(({ name, isFolder, target }): string[] => {
    if (isDeep ? isPassedBy(name) || target !== undefined : !isMatch(name, step)) return [];
    const path = pathIn(folder, name);
    if (isFolder) return isDeep ? walk(tree, path, [step, ...rest]) : rest.length > 0 ? walk(tree, path, rest) : [];
    return !isDeep && rest.length === 0 && CASSETTE_ENDING.test(name) ? [path] : [];
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

/** Returns the error for a pattern that names no cassette. `others` are YAML files that it names. */
export function noneFound(pattern: string, others: readonly string[] = []): McpRecordError {
  const why =
    others.length === 0
      ? 'no file that ends in .yaml, .yml or .json matches and is a cassette'
      : `${shortList(others)} ${others.length === 1 ? 'is' : 'are'} no ${others.length === 1 ? 'cassette' : 'cassettes'}, and nothing else matches`;
  return new McpRecordError({
    code: 'CASSETTE_NOT_FOUND',
    what: `Cannot find the cassettes ${pattern}`,
    why,
    next: "Check the folder. Quote a pattern, so that the shell does not expand it: 'cassettes/**'.",
  });
}

/** Returns the error for a name of a file, folder or pattern for which there is nothing. */
export function nothingNamed(name: string): McpRecordError {
  if (/[*?]/.test(name)) return noneFound(name);
  return new McpRecordError({
    code: 'CASSETTE_NOT_FOUND',
    what: `Cannot find the cassettes ${name}`,
    why: 'there is no such file or folder',
    next: 'Check the name and the working directory.',
  });
}

/** Prints which files were passed over: what they contain is not checked. */
export function sayPassedOver(found: readonly Pick<FoundFiles, 'others'>[]): void {
  const others = [...new Set(found.flatMap((one) => one.others))];
  if (others.length === 0) return;
  const what = others.length === 1 ? 'is no cassette, and was' : 'are no cassettes, and were';
  say(`Note: ${shortList(others)} ${what} passed over.`);
}

const LISTED_MAX = 3;

function shortList(files: readonly string[]): string {
  const more = files.length - LISTED_MAX;
  return `${files.slice(0, LISTED_MAX).join(', ')}${more > 0 ? ` and ${formatCount(more, 'other file')}` : ''}`;
}
