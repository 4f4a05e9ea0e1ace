import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Cassette } from '../../cassette/cassette.ts';
import { CASSETTE_BYTES_MAX, parseCassette } from '../../cassette/read/load-cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { loadWithProgress } from '../io/load-with-progress.ts';

/**
 * Loads a cassette from a file, or as it is in a revision of git: `main:cassettes/weather.yaml`, and `:FILE` for the
 * index. A file with such a name comes first.
 * @throws McpRecordError as `loadCassette`; USAGE_NO_GIT, USAGE_NO_REVISION
 */
export function loadCassetteRevision(name: string): Cassette {
  const at = revisionIn(name);
  return at === undefined ? loadWithProgress(name) : parseCassette(fileAt(name, at), name);
}

interface FileInRevision {
  revision: string;
  file: string;
}

/** Returns the revision and the file that a name has. Undefined: it is the path of a file. */
function revisionIn(name: string): FileInRevision | undefined {
  const [, revision, file] = /^([^:]*):(.+)$/s.exec(name) ?? [];
  const isDrive = /^[A-Za-z]:[\\/]/.test(name);
  return revision === undefined || file === undefined || isDrive || existsSync(name) ? undefined : { revision, file };
}

function fileAt(name: string, { revision, file }: FileInRevision): Uint8Array {
  const shown = git('show', '--no-textconv', '--end-of-options', name);
  if (shown.status === 0) return shown.stdout;
  if (shown.error !== undefined) throw noGit(name, 'the program git does not start');
  if (git('rev-parse', '--git-dir').status !== 0) throw noGit(name, 'this folder is in no repository of git');
  const isRevision =
    revision === '' || git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{tree}`).status === 0;
  throw new McpRecordError({
    code: 'USAGE_NO_REVISION',
    what: `Cannot read ${name}`,
    why: isRevision ? `${revision || 'the index'} has no file ${file}` : `git has no revision ${revision}`,
    next: isRevision
      ? `Name the file from the root of the repository, or from this folder: ${revision}:./${file}`
      : 'Name a branch, a tag or a commit, as git log prints them. For a branch of a server: git fetch.',
  });
}

function noGit(name: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_NO_GIT',
    what: `Cannot read ${name}`,
    why: `there is no such file, and ${why}`,
    next: 'Run the command in a checkout with git installed, or name a file.',
  });
}

function git(...args: string[]): ReturnType<typeof spawnSync> & { stdout: Uint8Array } {
  return spawnSync('git', args, { maxBuffer: CASSETTE_BYTES_MAX, windowsHide: true });
}
