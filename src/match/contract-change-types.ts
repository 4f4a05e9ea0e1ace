import type { Pointer } from '../protocol/json-pointer.ts';

/**
 * Severity of a change to a recorded contract. `suspicious`: callers continue to work, but a model may read, or an app
 * may do, something that nobody approved.
 */
export type Severity = 'breaking' | 'suspicious' | 'compatible' | 'cosmetic';

/** All severities, the worst first. */
export const SEVERITIES: readonly Severity[] = ['breaking', 'suspicious', 'compatible', 'cosmetic'];

/** Change to something that callers rely on. */
export interface Change {
  severity: Severity;
  /** Pointer into the new message; into the old message for a removed value. */
  path: Pointer;
  /** Line of the changed place in the newer cassette, if known. */
  line?: number;
  /** Description of the change, without a full stop. */
  reason: string;
  /** Use of a server that a breaking change affects. Absent: no recorded message shows who is affected. */
  affects?: AffectedUse;
  /** Users of what a breaking change affects, where cassettes of users are known. `unknown`: cassettes do not show it. */
  usedBy?: readonly ContractUser[] | 'unknown';
}

/** Use of a server by its callers. Absent members: every use of the thing. */
export interface AffectedUse {
  /** List field that contains the affected item, such as `tools`, or the opening of a session. */
  kind: string;
  /** Name of the tool, prompt or event type; URI, or URI template, of the resource or skill; protocol revision. */
  name?: string;
  /** Path of a capability. */
  capability?: readonly string[];
  /** Place of an argument in the arguments. The step `*` stands for every key or index. */
  argument?: Pointer;
  /** Whether the change affects callers that send the argument or callers that omit the argument. */
  when?: 'sent' | 'omitted';
  /** Affected values of the argument: values in a set or outside a set. */
  values?: AffectedValues;
}

/** Set of JSON values, or of JSON types by their names. */
export interface AffectedValues {
  of: 'value' | 'type';
  in?: readonly unknown[];
  notIn?: readonly unknown[];
}

/** Cassette whose client uses a part of a server. */
export interface ContractUser {
  file: string;
  /** Line of the first use. */
  line: number;
  /** Number of uses. */
  uses: number;
  /** Name and version of the client, if known. */
  client?: string;
}

/**
 * Differences that fail a comparison: all differences, only breaking differences, or only differences that break a
 * known caller.
 */
export const FAIL_ON = ['any', 'breaking', 'used'] as const;

export type FailOn = (typeof FAIL_ON)[number];

/** Difference, together with its single changes. */
export interface JudgedDifference {
  changes?: readonly Change[];
  /** Whether `changes` covers the complete difference. */
  hasAllChanges?: boolean;
  /** Whether the difference consists only of an additional client message, which breaks no caller of the server. */
  isAddedByClient?: boolean;
}

/**
 * Reports whether a difference fails. What no rule judges counts as breaking, and what is suspicious always fails. A
 * breaking change counts as used unless its users are known to be none.
 */
export function failsOn(failOn: FailOn, difference: JudgedDifference): boolean {
  const { changes = [], hasAllChanges = false, isAddedByClient = false } = difference;
  if (failOn === 'any') return true;
  if (isAddedByClient) return false;
  if (!hasAllChanges || changes.length === 0) return true;
  return changes.some(({ severity, usedBy }) => {
    const isUnused = failOn === 'used' && Array.isArray(usedBy) && usedBy.length === 0;
    return severity === 'suspicious' || (severity === 'breaking' && !isUnused);
  });
}
