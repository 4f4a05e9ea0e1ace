import type { Pointer } from '../protocol/json-pointer.ts';

/**
 * Severities of a change to a recorded contract, the worst first. `suspicious`: callers continue to work, but a model
 * may read, or an app may do, something that nobody approved.
 */
export const SEVERITIES = ['breaking', 'suspicious', 'compatible', 'cosmetic'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** Change to something that callers rely on. */
export interface Change {
  severity: Severity;
  /** Pointer into the new message; into the old message for a removed value. */
  path: Pointer;
  /** Description of the change, without a full stop. */
  reason: string;
}
