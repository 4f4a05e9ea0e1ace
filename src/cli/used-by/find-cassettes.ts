import { existsSync, readdirSync, statSync } from 'node:fs';
import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Returns the files that a pattern names, in order: a file, the cassettes in a folder and in its folders, or the
 * cassettes that match `*`, `?` and `**`. `**` enters no hidden folder and no `node_modules`.
 * @throws McpRecordError CASSETTE_NOT_FOUND if there is none
 */
export function findCassettes(pattern: string): string[] {
  const path = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  const found = filesOf(path);
  if (found.length === 0) throw noneFound(pattern);
  return [...new Set(found)].sort();
}

function filesOf(path: string): string[] {
  if (existsSync(path)) return statSync(path).isDirectory() ? walk(path, [DEEP, '*']) : [path];
  const steps = path.split('/');
  const first = steps.findIndex((step) => /[*?]/.test(step));
  if (first < 0) return [];
  const rest = steps.slice(first).filter((step) => step !== '');
  const base = path.startsWith('/') && first === 1 ? '/' : steps.slice(0, first).join('/');
  return walk(base, rest.at(-1) === DEEP ? [...rest, '*'] : rest);
}

/** Step of a pattern that stands for any number of folders. */
const DEEP = '**';
const ENDING = '.yaml';

/** Returns the files in a folder whose paths match the steps of a pattern. */
function walk(folder: string, [step = '', ...rest]: readonly string[]): string[] {
  const isDeep = step === DEEP;
  const inFolder = entriesOf(folder).flatMap((entry): string[] => {
    const { name } = entry;
    if (isDeep ? isPassedBy(name) : !isMatch(name, step)) return [];
    const path = folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
    if (entry.isDirectory()) return isDeep ? walk(path, [step, ...rest]) : rest.length > 0 ? walk(path, rest) : [];
    return !isDeep && rest.length === 0 && name.endsWith(ENDING) ? [path] : [];
  });
  return isDeep ? [...walk(folder, rest), ...inFolder] : inFolder;
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

function entriesOf(folder: string) {
  try {
    return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

function noneFound(pattern: string): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_FOUND',
    what: `Cannot find the cassettes ${pattern}`,
    why: 'no file that ends in .yaml matches',
    next: "Check the folder. Quote a pattern, so that the shell does not expand it: 'cassettes/**'.",
  });
}
