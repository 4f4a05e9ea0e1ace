import { isDeepStrictEqual } from 'node:util';
import type { Cassette } from '../../cassette/cassette.ts';
import { withUsers } from '../../contract/usage/change-users.ts';
import { missingListNotes } from '../../contract/usage/missing-lists.ts';
import { type RecordedUses, recordedUses } from '../../contract/usage/recorded-uses.ts';
import { formatCount } from '../../kernel/format-count.ts';
import type { Change } from '../../match/contract-change-types.ts';
import { cassettesIn, DISK, noneFound, sayPassedOver } from '../cassette-files/find-cassette-files.ts';
import { loadCassetteRevision, pathInRevision } from '../git/load-cassette-revision.ts';
import { revisionFileTree } from '../git/revision-file-tree.ts';
import { say } from '../io/output.ts';

/** Cassettes of `--used-by`. */
export interface Users {
  patterns: readonly string[];
  cassettes: readonly RecordedUses[];
  /** Revisions of git that cassettes were read from. */
  revisions: readonly string[];
}

/**
 * Returns the cassettes of `--used-by`. Undefined: the option was not given. `base` is the revision of git that the old
 * contract is of: the patterns are matched there, too, because a change may record its users again.
 * @throws McpRecordError CASSETTE_NOT_FOUND for a pattern without a match, USAGE_NO_GIT, USAGE_NO_REVISION, and those of
 * `loadCassette`
 */
export function usersOf(patterns: readonly string[], base?: string): Users | undefined {
  if (patterns.length === 0) return undefined;
  const found = patterns.map((pattern) => foundBy(pattern, base));
  sayPassedOver(found);
  const names = new Map(found.flatMap(({ files }) => files.map((one) => [one.name, one] as const)));
  const uses = new Map([...names.keys()].map((name) => [name, usesOf(name)]));
  const isAlsoOnDisk = ({ name, onDisk = '' }: FoundCassette) =>
    isDeepStrictEqual(uses.get(name)?.uses, uses.get(onDisk)?.uses);
  const cassettes = [...names.values()].filter((one) => !isAlsoOnDisk(one)).map(({ name }) => uses.get(name)!);
  const revisions = [...new Set(found.flatMap(({ revision }) => revision ?? []))];
  return { patterns, cassettes, revisions };
}

interface FoundCassette {
  name: string;
  /** Name on the disk, for a cassette that is read from the base revision. */
  onDisk?: string;
}

/** Cassettes that a pattern of `--used-by` names. */
interface FoundUsers {
  files: FoundCassette[];
  others: string[];
  /** Git revision from which some cassettes are read. */
  revision?: string;
}

function foundBy(pattern: string, base: string | undefined): FoundUsers {
  const at = pathInRevision(pattern);
  const revision = at?.revision ?? base;
  if (revision === undefined) return required(pattern, onDisk(pattern));
  if (at !== undefined) {
    const tree = revisionFileTree(revision, /^\.\.?\//.test(at.path) ? 'folder' : 'root');
    const { files, others } = cassettesIn(tree, at.path);
    const named = files.map((path) => ({ name: tree.nameOf(path) }));
    return required(pattern, { files: named, others: others.map(tree.nameOf), revision });
  }
  const tree = revisionFileTree(revision, 'folder');
  // The cassettes of consumers may be outside the repository.
  if (!tree.has(pattern)) return required(pattern, onDisk(pattern));
  const [now, before] = [onDisk(pattern), cassettesIn(tree, pattern)];
  const named = before.files.map((path) => ({ name: tree.nameOf(path), onDisk: path }));
  return required(pattern, { files: [...now.files, ...named], others: now.others, revision });
}

function onDisk(pattern: string): FoundUsers {
  const { files, others } = cassettesIn(DISK, pattern);
  return { files: files.map((name) => ({ name })), others };
}

function required(pattern: string, found: FoundUsers): FoundUsers {
  if (found.files.length === 0) throw noneFound(pattern, found.others);
  return found;
}

function usesOf(name: string): RecordedUses {
  const cassette = loadCassetteRevision(name);
  for (const warning of cassette.warnings) say(warning);
  return recordedUses(cassette);
}

/** Adds the users to something with changes. */
export function withChangeUsers<T extends { changes?: readonly Change[] }>(one: T, users: Users | undefined): T {
  if (users === undefined || one.changes === undefined) return one;
  return { ...one, changes: withUsers(one.changes, users.cassettes) };
}

/** Returns notes about the users of all changes: how many breaking changes are used, and what cannot be known. */
export function usersNotes(
  users: Users | undefined,
  { changes, contract }: { changes: readonly Change[]; contract: Cassette },
): string[] {
  if (users === undefined) return [];
  const breaking = changes.filter(({ severity }) => severity === 'breaking');
  const unknown = breaking.filter(({ usedBy }) => usedBy === 'unknown').length;
  const unused = breaking.filter(({ usedBy }) => usedBy?.length === 0).length;
  const counts = [
    `${breaking.length - unknown - unused} used`,
    `${unused} used by none`,
    ...(unknown > 0 ? [`${unknown} of unknown use`] : []),
  ];
  const { patterns, cassettes, revisions } = users;
  const also = revisions.length > 0 ? ` (with those of ${revisions.map((one) => one || 'the index').join(', ')})` : '';
  return [
    `Breaking changes: ${counts.join(', ')}, in ${formatCount(cassettes.length, 'cassette')} of ${patterns.join(', ')}${also}.`,
    ...(unused > 0 && revisions.length === 0 ? [`${AS_ON_DISK} --used-by '${exampleIn(patterns)}'.`] : []),
    ...missingLists(users, contract),
  ];
}

const AS_ON_DISK =
  'Cassettes were read as they are on the disk. One that this change has recorded again shows no use of the old contract. To read those of the branch main:';

function exampleIn(patterns: readonly string[]): string {
  const [pattern = ''] = patterns;
  const isRelative = !/^(?:\/|\.\.|[A-Za-z]:)/.test(pattern);
  return isRelative ? `main:./${pattern.replace(/^\.\//, '')}` : 'main:cassettes/**';
}

/** Returns a note for each list that the compared session lacks, and that defines what the users need. */
function missingLists({ cassettes }: Users, contract: Cassette): string[] {
  const methods = ({ uses }: RecordedUses) => uses.map(({ method }) => method);
  const asked = new Set(methods(recordedUses(contract)));
  const used = new Set(cassettes.flatMap(methods));
  return missingListNotes({ file: contract.file, asked, used });
}
