import type { Cassette } from '../../cassette/cassette.ts';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import { withUsers } from '../../contract/usage/change-users.ts';
import { missingListNotes } from '../../contract/usage/missing-lists.ts';
import { type RecordedUses, recordedUses } from '../../contract/usage/recorded-uses.ts';
import { formatCount } from '../../kernel/format-count.ts';
import type { Change } from '../../match/change-types.ts';
import { say } from '../io/output.ts';
import { findCassettes } from './find-cassettes.ts';

/** Cassettes of `--used-by`. */
export interface Users {
  patterns: readonly string[];
  cassettes: readonly RecordedUses[];
}

/**
 * Returns the cassettes of `--used-by`. Undefined: the option was not given.
 * @throws McpRecordError CASSETTE_NOT_FOUND for a pattern without a match, and those of `loadCassette`
 */
export function usersOf(patterns: readonly string[]): Users | undefined {
  if (patterns.length === 0) return undefined;
  const files = new Set(patterns.flatMap(findCassettes));
  const cassettes = [...files].map((file) => {
    const cassette = loadCassette(file);
    for (const warning of cassette.warnings) say(warning);
    return recordedUses(cassette);
  });
  return { patterns, cassettes };
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
  const { patterns, cassettes } = users;
  return [
    `Breaking changes: ${counts.join(', ')}, in ${formatCount(cassettes.length, 'cassette')} of ${patterns.join(', ')}.`,
    ...missingLists(users, contract),
  ];
}

/** Returns a note for each list that the compared session lacks, and that defines what the users need. */
function missingLists({ cassettes }: Users, contract: Cassette): string[] {
  const methods = ({ uses }: RecordedUses) => uses.map(({ method }) => method);
  const asked = new Set(methods(recordedUses(contract)));
  const used = new Set(cassettes.flatMap(methods));
  return missingListNotes({ file: contract.file, asked, used });
}
