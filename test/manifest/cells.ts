import { isModern, REVISIONS, type Revision } from '../../src/protocol/revisions.ts';
import type { Requirement, Role, Span } from './area.ts';
import type { Transport } from './wire/wire.ts';

export const TRANSPORTS: readonly Transport[] = ['stdio', 'Streamable HTTP', 'HTTP+SSE'];
export const ROLES: readonly Role[] = ['recorder', 'mock server', 'mock client'];

/** Where a requirement can be seen to hold. */
export interface Cell {
  revision: Revision;
  transport: Transport;
  role: Role;
}

/** Streamable HTTP came with 2025-03-26; HTTP with SSE was kept for older peers, until 2026-07-28 left it no room. */
export function exists(transport: Transport, revision: Revision): boolean {
  if (transport === 'Streamable HTTP') return revision >= '2025-03-26';
  return transport === 'stdio' || !isModern(revision);
}

export function holdsIn({ since, until }: Span, revision: Revision): boolean {
  return (since ?? '') <= revision && revision <= (until ?? '9');
}

/** Every cell in which the requirement has meaning. */
export function cellsOf(requirement: Requirement): Cell[] {
  return REVISIONS.filter((revision) => holdsIn(requirement, revision)).flatMap((revision) =>
    TRANSPORTS.flatMap((transport) => ROLES.map((role) => ({ revision, transport, role }))).filter(
      (cell) => why(requirement, cell) === undefined,
    ),
  );
}

/** Why the requirement has no meaning in a cell, in a word; undefined: it has. */
export function why({ not = {} }: Requirement, { revision, transport, role }: Cell): string | undefined {
  return exists(transport, revision) ? (not[transport] ?? not[role]) : `not in ${revision}`;
}
