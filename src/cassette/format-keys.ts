/** Keys of the cassette format. */

/** Keys of the header, in the order of writing. `events` ends the header. */
export const HEADER_KEYS = ['format', 'recorder', 'recorded', 'transport', 'url', 'redactRules'] as const;

/** Keys that name an event. Each event has exactly one. */
export const EVENT_KEYS = [
  'client',
  'server',
  'clientBytes',
  'serverBytes',
  'stderr',
  'stderrBytes',
  'open',
  'response',
  'sse',
  'comment',
  'authorization',
  'close',
  'signal',
  'exit',
  'end',
] as const;

export type EventKey = (typeof EVENT_KEYS)[number];

const SIBLING_NAMES = [
  'stream',
  'session',
  'sse',
  'status',
  'headers',
  'path',
  'resumes',
  'how',
  'body',
  'bodyBytes',
  'after',
  'partial',
  'match',
] as const;

export type SiblingKey = (typeof SIBLING_NAMES)[number];

/** Keys that may accompany an event key. */
export const SIBLING_KEYS: readonly SiblingKey[] = SIBLING_NAMES;

/** Event keys that each sibling key may accompany. Undefined: all. */
export const SIBLINGS: Record<SiblingKey, readonly EventKey[] | undefined> = {
  stream: undefined,
  session: ['client', 'server', 'serverBytes', 'response'],
  sse: ['server', 'serverBytes'],
  status: ['server', 'serverBytes'],
  headers: ['client', 'clientBytes', 'server', 'serverBytes', 'open', 'response'],
  path: ['open'],
  resumes: ['open'],
  how: ['close'],
  body: ['open', 'response'],
  bodyBytes: ['open', 'response'],
  after: undefined,
  partial: undefined,
  match: ['client', 'server'],
};
