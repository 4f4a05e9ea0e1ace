import { closeSync, type Dirent, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Maximum depth of subfolders. `wrap` and Vitest write one level, monorepos of tests a few. */
const DEPTH_MAX = 4;
/** Maximum number of folders that are read, in case the folder is the root of much else. */
const FOLDERS_MAX = 1_000;
/** Number of bytes in which a cassette names its format. */
const HEAD_BYTES = 4_096;
const FORMAT = /^["']?format["']?\s*:\s*["']?mcp-record\/\d/m;

export interface FolderCassettes {
  /** Paths of cassettes, relative to the folder, with slashes. */
  names: string[];
  /** Paths of the subfolders that were read, in the same form. */
  folders: string[];
}

/**
 * Returns the wanted files of a folder, and the cassettes of its subfolders. Subfolders may belong to other programs, so
 * their files must name the format of cassettes. Hidden folders, `node_modules` and links are left out.
 */
export function findFolderCassettes(
  root: string,
  { isWanted, hasSubfolders }: { isWanted(name: string): boolean; hasSubfolders: boolean },
): FolderCassettes {
  const depthMax = hasSubfolders ? DEPTH_MAX : 0;
  const found: FolderCassettes = { names: [], folders: [] };
  let level = [''];
  for (let depth = 0; depth <= depthMax; depth++) {
    const below: string[] = [];
    for (const folder of level) {
      for (const entry of entriesOf(join(root, folder))) {
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory() && !isPassedBy(entry.name)) below.push(name);
        else if (isWanted(entry.name) && (folder === '' || isCassette(entry, join(root, name)))) found.names.push(name);
      }
    }
    level = depth < depthMax ? below.slice(0, FOLDERS_MAX - found.folders.length) : [];
    found.folders.push(...level);
  }
  return found;
}

function isPassedBy(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** Returns the entries of a folder. A folder that was removed, or must not be read, has none. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isCassette(entry: Dirent, file: string): boolean {
  if (!entry.isFile()) return false;
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const descriptor = openSync(file, 'r');
    try {
      return FORMAT.test(head.toString('latin1', 0, readSync(descriptor, head)));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}
