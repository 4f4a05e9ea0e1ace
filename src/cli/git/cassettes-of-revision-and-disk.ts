import { McpRecordError } from '../../kernel/errors.ts';
import { shellWord } from '../../text-report/shell-word.ts';
import { DISK, filesNamed, noneFound, sayPassedOver } from '../cassette-files/find-cassette-files.ts';
import { revisionFileTree } from './revision-file-tree.ts';
import { noRevision } from './run-git.ts';

/** A cassette of a revision, of the disk, or of both. */
export interface CassetteOfBoth {
  file: string;
  /** Name of the file in the revision, for git. */
  before: string;
  state: 'in both' | 'deleted' | 'new';
}

/**
 * Returns the cassettes that a folder or a pattern names on the disk and in a revision of git, in order. `pattern`
 * begins at the current folder in both.
 * @throws McpRecordError USAGE_NO_GIT, USAGE_NO_REVISION; CASSETTE_NOT_FOUND if neither has one; USAGE_ONE_FILE for a
 * single file, which a shell makes of a pattern without quotes
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
  // A file that is a cassette in one of both is compared, so that the other cannot be passed over.
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
