import { canonicalJson } from '../match/canonical-json.ts';
import type { Change } from '../match/change-severity.ts';
import type { Pointer } from '../match/ignore-rules.ts';
import { type Direction, narrows, widens } from './schema-direction.ts';

export interface SetPair {
  /** Noun for a member. */
  noun: string;
  /** Former members. Empty: the schema sets no limit. */
  before: readonly unknown[];
  after: readonly unknown[];
  direction: Direction;
  path: Pointer;
}

/** Returns the changes of a set of alternatives for a value: `enum`, `type`, `anyOf`. */
export function alternativeChanges({ noun, before, after, direction, path }: SetPair): Change[] {
  const list = (members: readonly unknown[]) => members.map(shown).join(', ');
  if (before.length === 0) {
    return [{ severity: narrows(direction), path, reason: `${noun} is now limited to ${list(after)}` }];
  }
  if (after.length === 0) {
    return [{ severity: widens(direction), path, reason: `${noun} is no longer limited to ${list(before)}` }];
  }
  const [gone, added] = [lacking(before, after), lacking(after, before)];
  const change = (member: unknown, severity: Change['severity'], became: string): Change => ({
    severity,
    path,
    reason: `${noun} ${shown(member)} is ${became} allowed`,
  });
  if (gone.length + added.length === 0) {
    return [{ severity: 'cosmetic', path, reason: `the order of the ${noun}s changed` }];
  }
  return [
    ...gone.map((member) => change(member, narrows(direction), 'no longer')),
    ...added.map((member) => change(member, widens(direction), 'now')),
  ];
}

/** Returns the members of `type`. `number` includes `integer`. */
export function typesOf(type: unknown): unknown[] {
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return types.includes('number') && !types.includes('integer') ? [...types, 'integer'] : types;
}

function lacking(members: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new Set(others.map(canonicalJson));
  return members.filter((member) => !known.has(canonicalJson(member)));
}

const SHOWN_LENGTH = 60;

function shown(member: unknown): string {
  const text = canonicalJson(member);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
