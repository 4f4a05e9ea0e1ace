/** The keys of a tape, in the order in which they are written. */

/** What the header says. `events` ends it. */
export const HEADER_KEYS = ['format', 'recorder', 'recorded', 'transport'] as const;

/** What an event may be: exactly one of these is in it. */
export const EVENT_KEYS = [
  'client',
  'server',
  'clientBytes',
  'serverBytes',
  'stderr',
  'stderrBytes',
  'close',
  'signal',
  'exit',
  'end',
] as const;

/** What may stand beside it. */
export const SIBLING_KEYS = ['after', 'partial'] as const;

export type EventKey = (typeof EVENT_KEYS)[number];
