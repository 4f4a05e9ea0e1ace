import type { Pointer } from './ignore-rules.ts';

/** How much a change hurts those who rely on what was recorded. */
export type Severity = 'breaking' | 'compatible' | 'cosmetic';

/** One change of something that callers were promised. */
export interface Change {
  severity: Severity;
  /** Pointer into the new message, or into the old one if the value is gone. */
  path: Pointer;
  /** What changed, in words, without a full stop. */
  reason: string;
}
