import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isProbeName } from '../cassette/file-name.ts';
import { loadCassette } from '../cassette/load.ts';
import type { Cassette } from '../cassette/types.ts';

/**
 * The cassettes that `path` names: one, or all of a folder, in the order in which they were recorded and numbered.
 * @throws McpRecordError as `loadCassette`, also TAPE_IS_DIRECTORY for a folder without any
 */
export function tapesAt(path: string): [Cassette, ...Cassette[]] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = isFolder ? readdirSync(path).filter(isTape).sort(inOrder) : [];
  const [first = path, ...rest] = files.map((file) => join(path, file));
  return [loadCassette(first), ...rest.map((file) => loadCassette(file))];
}

function isTape(name: string): boolean {
  return name.endsWith('.yaml') && !isProbeName(name);
}

/** `tape.yaml`, `tape-2.yaml`, …, `tape-10.yaml`. */
function inOrder(a: string, b: string): number {
  const [left, right] = [a, b].map((name) => name.replace(/\.yaml$/, ''));
  return left!.localeCompare(right!, 'en', { numeric: true });
}
