/** Protocol revisions. Their names sort as they were published, so `>=` is "at least". */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof REVISIONS)[number];

/** The first revision without a handshake: requests describe themselves in `_meta`. */
export const FIRST_MODERN: Revision = '2026-07-28';

/** The last revision with a handshake. */
export const NEWEST_LEGACY: Revision = '2025-11-25';

/** Whether a revision string, known or from the future, belongs to the era without `initialize`. */
export function isModern(revision: string): boolean {
  return revision >= FIRST_MODERN;
}
