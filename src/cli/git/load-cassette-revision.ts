import { existsSync } from 'node:fs';
import type { Cassette } from '../../cassette/cassette.ts';
import { parseCassette } from '../../cassette/read/parse-cassette.ts';
import { shellWord } from '../../text-report/shell-word.ts';
import { loadWithProgress } from '../io/load-with-progress.ts';
import { noRevision, requireRevision, runGit } from './run-git.ts';

/**
 * Loads a cassette from a file, or as it is in a revision of git: `main:cassettes/weather.yaml`, and `:FILE` for the
 * index. A file with such a name comes first.
 * @throws McpRecordError as `loadCassette`; USAGE_NO_GIT, USAGE_NO_REVISION
 */
export function loadCassetteRevision(name: string): Cassette {
  const at = pathInRevision(name);
  return at === undefined ? loadWithProgress(name) : parseCassette(fileAt(name, at), name);
}

/** Path in a revision of git, as a user writes it: `REVISION:PATH`. An empty revision is the index. */
export interface PathInRevision {
  revision: string;
  /** Path from the root of the repository, or with `./` from the current folder. Empty: the whole revision. */
  path: string;
}

/** Splits a name into a git revision and a path. Undefined: the name is a path on the disk. */
export function pathInRevision(name: string): PathInRevision | undefined {
  const [, revision, path] = /^([^:]*):(.*)$/s.exec(name) ?? [];
  const isDrive = /^[A-Za-z]:[\\/]/.test(name);
  return revision === undefined || path === undefined || isDrive || existsSync(name) ? undefined : { revision, path };
}

function fileAt(name: string, { revision, path }: PathInRevision): Uint8Array {
  // git show would take a pattern for a path of the command line, and print nothing.
  const blob = path === '' ? undefined : runGit('cat-file', 'blob', '--end-of-options', name);
  if (blob?.status === 0) return blob.stdout;
  requireRevision(name, revision);
  const isFolder = blob === undefined || runGit('cat-file', '-e', '--end-of-options', name).status === 0;
  if (isFolder || /[*?]/.test(path)) throw noRevision(name, 'it is no single file', severalAdvice({ revision, path }));
  const where = revision || 'the index';
  throw noRevision(
    name,
    `${where} has no file ${path}`,
    `Name the file from the root of the repository, or from this folder: ${revision}:./${path}. If the file is new since ${where}, there is nothing to compare.`,
  );
}

function severalAdvice({ revision, path }: PathInRevision): string {
  const words = [`${revision}:`, path || 'cassettes'].map(shellWord).join(' ');
  return `To compare all cassettes of a folder or a pattern: mcp-record diff ${words}. Other commands take one file.`;
}
