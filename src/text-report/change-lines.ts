import type { Change } from '../match/change-severity.ts';

/** Formats changes for people, one line each. The texts of peers are not made printable. */
export function changeLines(changes: readonly Change[]): string[] {
  return changes.map(({ severity, reason, path }) => `${severity}: ${reason} (${path})`);
}
