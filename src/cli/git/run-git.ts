import { spawnSync } from 'node:child_process';
import { CASSETTE_BYTES_MAX } from '../../cassette/read/parse-cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';

/** Runs git in the current folder, and returns its status and output. */
export function runGit(...args: string[]): ReturnType<typeof spawnSync> & { stdout: Uint8Array } {
  return spawnSync('git', args, { maxBuffer: CASSETTE_BYTES_MAX, windowsHide: true });
}

/**
 * Checks that git runs and knows the revision. `name` is the user's argument, for errors.
 * @throws McpRecordError USAGE_NO_GIT, and USAGE_NO_REVISION if git does not know the revision
 */
export function requireRevision(name: string, revision: string): void {
  const inside = runGit('rev-parse', '--git-dir');
  if (inside.error !== undefined) throw noGit(name, 'the program git does not start');
  if (inside.status !== 0) throw noGit(name, 'this folder is in no repository of git');
  // An empty revision is the index, which always exists.
  if (revision === '') return;
  const tree = runGit('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{tree}`);
  if (tree.status === 0) return;
  if (revision.endsWith('/')) throw incompleteRevision(name, 'it ends with a slash');
  throw noRevision(
    name,
    `git has no revision ${revision}`,
    `Name a branch, a tag or a commit, as git log prints them. A checkout in CI often has a single commit, and git fetch alone does not add a branch to it: run git fetch origin ${branchIn(revision)}, and write FETCH_HEAD in place of ${revision}.`,
  );
}

/** Returns an error for a revision that an empty variable has left incomplete. */
export function incompleteRevision(name: string, why: string): McpRecordError {
  return noRevision(
    name === '' ? 'the revision' : name,
    `${why}, as if a variable had no value`,
    'Name a branch, a tag or a commit: origin/main. In GitHub Actions, GITHUB_BASE_REF has a value in pull requests only.',
  );
}

/** Returns an error for a missing revision, or for a file that is missing in a revision. */
export function noRevision(name: string, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'USAGE_NO_REVISION', what: `Cannot read ${name.replace(/:$/, '')}`, why, next });
}

function noGit(name: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_NO_GIT',
    what: `Cannot read ${name}`,
    why: `there is no such file, and ${why}`,
    next: 'Run the command in a checkout with git installed, or name a file.',
  });
}

function branchIn(revision: string): string {
  return revision.replace(/^(?:refs\/remotes\/)?origin\//, '');
}
