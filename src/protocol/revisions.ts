/** Protocol revisions. Their names sort by date, so `>=` means "at least". */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof REVISIONS)[number];

/** The newest revision. */
export const NEWEST: Revision = REVISIONS[REVISIONS.length - 1]!;

/** First revision without a handshake: each request carries its version and capabilities in `_meta`. */
export const FIRST_MODERN: Revision = '2026-07-28';

/** The last revision with a handshake. */
export const NEWEST_LEGACY: Revision = '2025-11-25';

/** Error code for a request that states a revision which its server does not support, from 2026-07-28 on. */
export const UNSUPPORTED_VERSION: number = -32022;

/** Reports whether a revision is later than all that this version knows. Its rules are unknown. */
export function isLater(revision: string): boolean {
  return revision > NEWEST;
}

/** Reports whether a revision, known or future, has no `initialize`. */
export function isModern(revision: string): boolean {
  return revision >= FIRST_MODERN;
}
