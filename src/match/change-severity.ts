import type { Pointer } from './ignore-rules.ts';

/**
 * How much a change hurts those who rely on what was recorded, the worst first. `suspicious`: nothing breaks, but a model reads or
 * an app may do what nobody has agreed to.
 */
export const SEVERITIES = ['breaking', 'suspicious', 'compatible', 'cosmetic'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** One change of something that callers were promised. */
export interface Change {
  severity: Severity;
  /** Pointer into the new message, or into the old one if the value is gone. */
  path: Pointer;
  /** What changed, in words, without a full stop. */
  reason: string;
}
