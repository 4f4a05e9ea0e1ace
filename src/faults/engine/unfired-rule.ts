import type { Rule } from '../rules/fault-rule.ts';

/** Rule that never fired. */
export interface Unfired {
  /** Position of the rule, from 1. */
  rule: number;
  /** Why its fault changed nothing about a message that the rule matched. Absent: the rule matched none. */
  why?: string | undefined;
}

/** Returns the message about a rule that has not fired. `number` counts from 1. */
export function unfiredText(rules: readonly Rule[], { rule, why }: Unfired): string {
  const { name } = rules[rule - 1]!.fault.kind;
  return `Rule ${rule} (${name}) never fired${why === undefined ? '' : `: ${why}`}.`;
}
