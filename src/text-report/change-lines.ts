import type { Change, ContractUser } from '../match/contract-change-types.ts';

/**
 * Formats changes for people: a line each, and a line about its users where those are known. The texts of peers are not made
 * printable.
 */
export function changeLines(changes: readonly Change[]): string[] {
  return changes.flatMap(({ severity, reason, path, usedBy }) => [
    `${severity}: ${reason} (${path})`,
    ...(usedBy === undefined ? [] : [`  ${usersText(usedBy)}`]),
  ]);
}

const USERS_MAX = 5;

function usersText(users: NonNullable<Change['usedBy']>): string {
  if (typeof users === 'string') return 'cassettes do not show whether this is used';
  if (users.length === 0) return 'used by none of the cassettes';
  const more = users.length > USERS_MAX ? ` and ${users.length - USERS_MAX} more` : '';
  return `used by ${users.slice(0, USERS_MAX).map(userText).join(', ')}${more}`;
}

function userText({ file, line, uses, client }: ContractUser): string {
  const notes = [...(client === undefined ? [] : [client]), ...(uses > 1 ? [`${uses} times`] : [])];
  return `${file}:${line}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
