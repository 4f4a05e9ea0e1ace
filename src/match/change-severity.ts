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

/** Differences that fail a comparison: any, or only those that break callers. */
export const FAIL_ON = ['any', 'breaking'] as const;

export type FailOn = (typeof FAIL_ON)[number];

/** A difference with the changes that it consists of. */
export interface JudgedDifference {
  changes?: readonly Change[];
  /** Whether `changes` has everything that differs. */
  hasAllChanges?: boolean;
}

/** Reports whether a difference fails. What no rule judges counts as breaking, and what is suspicious always fails. */
export function failsOn(failOn: FailOn, { changes = [], hasAllChanges = false }: JudgedDifference): boolean {
  if (failOn === 'any' || !hasAllChanges || changes.length === 0) return true;
  return changes.some(({ severity }) => severity === 'breaking' || severity === 'suspicious');
}
