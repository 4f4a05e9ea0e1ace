/** The keys of a tape, in the order in which they are written. */

/** What the header says. `events` ends it. */
export const HEADER_KEYS = ['format', 'recorder', 'recorded', 'transport', 'url'] as const;

/** What an event may be: exactly one of these is in it. */
export const EVENT_KEYS = [
  'client',
  'server',
  'clientBytes',
  'serverBytes',
  'stderr',
  'stderrBytes',
  'open',
  'reply',
  'sse',
  'noise',
  'close',
  'signal',
  'exit',
  'end',
] as const;

/** What may stand beside it, and beside which: any, where none is named. */
export const SIBLINGS = {
  stream: undefined,
  session: ['client', 'server', 'serverBytes', 'reply'],
  sse: ['server', 'serverBytes'],
  status: ['server', 'serverBytes'],
  headers: ['client', 'clientBytes', 'server', 'serverBytes', 'open', 'reply'],
  path: ['open'],
  resumes: ['open'],
  how: ['close'],
  body: ['open', 'reply'],
  bodyBytes: ['open', 'reply'],
  after: undefined,
  partial: undefined,
} as const satisfies Record<string, readonly EventKey[] | undefined>;

export type SiblingKey = keyof typeof SIBLINGS;

export const SIBLING_KEYS = Object.keys(SIBLINGS) as readonly SiblingKey[];

export type EventKey = (typeof EVENT_KEYS)[number];
