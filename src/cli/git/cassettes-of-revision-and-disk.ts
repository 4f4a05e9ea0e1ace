import { McpRecordError } from '../../kernel/errors.ts';
import { shellWord } from '../../text-report/shell-word.ts';
import { DISK, filesNamed, noneFound, sayPassedOver } from '../cassette-files/find-cassette-files.ts';
import { revisionFileTree } from './revision-file-tree.ts';
import { noRevision } from './run-git.ts';

/** Cassette found in a git revision, on the disk, or both, with its state. */
export interface CassetteOfBoth {
  file: string;
  /** Name of the file in the revision, for git. */
  before: string;
  state: 'in both' | 'deleted' | 'new';
}

/**
 * Returns the cassettes that a folder or a pattern names on the disk and in a git revision, in order. `pattern` is
 * relative to the current folder in both.
 * @throws McpRecordError USAGE_NO_GIT, USAGE_NO_REVISION; CASSETTE_NOT_FOUND if there is no cassette in either place;
 * USAGE_ONE_FILE for a single file, to which a shell may have expanded an unquoted pattern
 */
export function cassettesOfBoth(revision: string, pattern: string): CassetteOfBoth[] {
  const tree = revisionFileTree(revision, 'folder');
  if (!tree.has(pattern))
    throw noRevision(
      `${revision}:`,
      `${pattern} is outside of this repository`,
      'Run diff in the repository of the cassettes.',
    );
  if ([tree, DISK].some((one) => one.kindOf(pattern) === 'file')) throw oneFile(tree.nameOf(pattern), pattern);
  const [before, now] = [tree, DISK].map((one) => new Set(filesNamed(one, pattern)));
  // If only one side is a valid cassette, the files are still compared, which reports the damaged side.
  const isNone = (file: string) =>
    (!now!.has(file) || DISK.isOther(file)) && (!before!.has(file) || tree.isOther(file));
  const all = [...new Set([...before!, ...now!])].sort();
  const others = new Set(all.filter(isNone));
  const files = all.filter((file) => !others.has(file));
  const passedOver = { others: [...others].filter((file) => !/\.json$/i.test(file)) };
  if (files.length === 0) throw noneFound(pattern, passedOver.others);
  sayPassedOver([passedOver]);
  return files.map((file) => ({
    file,
    before: tree.nameOf(file),
    state: !now!.has(file) ? 'deleted' : before!.has(file) ? 'in both' : 'new',
  }));
}

function oneFile(before: string, file: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_ONE_FILE',
    what: `Cannot compare ${file} with a whole revision`,
    why: 'it is a single file: a shell replaces a pattern without quotes, and would leave out deleted cassettes',
    next: `Name its folder, or quote a pattern: 'cassettes/**'. For this file alone: mcp-record diff ${shellWord(before)} ${shellWord(file)}`,
  });
}
