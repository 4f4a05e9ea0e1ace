import { briefJson, canonicalJson } from '../../match/canonical-json.ts';
import type { AffectedValues, Change } from '../../match/change-types.ts';
import type { Pointer } from '../../match/ignore-rules.ts';
import { type Direction, narrows, widens } from './schema-direction.ts';

export interface SetPair {
  /** Noun for a member. */
  noun: string;
  /** Former members. Empty: the schema sets no limit. */
  before: readonly unknown[];
  after: readonly unknown[];
  direction: Direction;
  path: Pointer;
  /** Place of the value in the arguments. Absent: it is no argument, or its place is unknown. */
  argument?: Pointer | undefined;
}

/** Returns the changes of a set of alternatives for a value: `enum`, `type`, `anyOf`. */
export function alternativeChanges({ noun, before, after, direction, path, argument }: SetPair): Change[] {
  const list = (members: readonly unknown[]) => members.map((member) => briefJson(member)).join(', ');
  const affects = (values: Omit<AffectedValues, 'of'>) => affectedValues({ noun, direction, argument }, values);
  if (before.length === 0) {
    const reason = `${noun} is now limited to ${list(after)}`;
    return [{ severity: narrows(direction), path, reason, ...affects({ notIn: after }) }];
  }
  if (after.length === 0) {
    return [{ severity: widens(direction), path, reason: `${noun} is no longer limited to ${list(before)}` }];
  }
  const [gone, added] = [lacking(before, after), lacking(after, before)];
  const change = (member: unknown, severity: Change['severity'], became: string): Change => ({
    severity,
    path,
    reason: `${noun} ${briefJson(member)} is ${became} allowed`,
  });
  if (gone.length + added.length === 0) {
    return [{ severity: 'cosmetic', path, reason: `the order of the ${noun}s changed` }];
  }
  return [
    ...gone.map((member) => ({ ...change(member, narrows(direction), 'no longer'), ...affects({ in: [member] }) })),
    ...added.map((member) => change(member, widens(direction), 'now')),
  ];
}

/** Returns which arguments are affected. Of alternatives that are schemas, each value may be one that is affected. */
function affectedValues(
  { noun, direction, argument }: Pick<SetPair, 'noun' | 'direction' | 'argument'>,
  values: Omit<AffectedValues, 'of'>,
): Pick<Change, 'affects'> {
  if (direction === 'output' || argument === undefined || (noun !== 'value' && noun !== 'type')) return {};
  return { affects: { kind: ARGUMENT, argument, when: 'sent', values: { of: noun, ...values } } };
}

/** Kind of an affected use until its list is known. */
export const ARGUMENT = 'arguments';

/** Returns the members of `type`. `number` includes `integer`. */
export function typesOf(type: unknown): unknown[] {
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return types.includes('number') && !types.includes('integer') ? [...types, 'integer'] : types;
}

function lacking(members: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new Set(others.map(canonicalJson));
  return members.filter((member) => !known.has(canonicalJson(member)));
}
