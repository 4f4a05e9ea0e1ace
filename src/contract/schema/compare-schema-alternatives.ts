import { briefJson, canonicalJson } from '../../match/canonical-json.ts';
import type { AffectedValues, Change } from '../../match/contract-change-types.ts';
import type { Pointer } from '../../match/ignore-rules.ts';
import { isObject } from '../../protocol/message.ts';
import { type Direction, narrows, widens } from './schema-direction.ts';

export interface SetPair {
  /** Noun for a member. */
  noun: string;
  /** Former members. Empty if the schema did not limit the value. */
  before: readonly unknown[];
  after: readonly unknown[];
  direction: Direction;
  path: Pointer;
  /** Pointer to the value in the arguments. Absent for other values, and for arguments at an unknown place. */
  argument?: Pointer | undefined;
}

/** Returns the changes of a set of alternatives for a value: `enum`, `const`, `type`, `anyOf`. */
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

/** Returns the affected values of an argument. Empty for schemas as alternatives: every value may be affected. */
function affectedValues(
  { noun, direction, argument }: Pick<SetPair, 'noun' | 'direction' | 'argument'>,
  values: Omit<AffectedValues, 'of'>,
): Pick<Change, 'affects'> {
  if (direction === 'output' || argument === undefined || (noun !== 'value' && noun !== 'type')) return {};
  return { affects: { kind: ARGUMENT, argument, when: 'sent', values: { of: noun, ...values } } };
}

/** Kind of an affected use until its list is known. */
export const ARGUMENT = 'arguments';

/** Returns the members of a list. Undefined for an empty list and for other values. */
export function filledList(value: unknown): unknown[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** Returns the members of `type`. `number` includes `integer`. */
export function typesOf(type: unknown): unknown[] {
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return types.includes('number') && !types.includes('integer') ? [...types, 'integer'] : types;
}

/**
 * Reports whether an added or removed schema may accept values of another schema in the list. Schemas count as disjoint
 * only if this is certain. A schema that is listed twice overlaps itself.
 */
export function changeMayOverlap(before: readonly unknown[], after: readonly unknown[]): boolean {
  if ([before, after].some((list) => new Set(list.map(canonicalJson)).size < list.length)) return true;
  const changed = [...lacking(before, after), ...lacking(after, before)];
  const overlaps = (list: readonly unknown[]) =>
    changed.some((one) => list.includes(one) && list.some((other) => other !== one && !areApart(one, other)));
  return overlaps(before) || overlaps(after);
}

/**
 * Reports whether two schemas have no valid value in common: their types or constants differ, or those of a required
 * property.
 */
function areApart(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  if (haveNothingInCommon(typesIn(one), typesIn(other)) || haveNothingInCommon(valuesIn(one), valuesIn(other)))
    return true;
  const isObjectSchema = ({ type }: Record<string, unknown>) => type === 'object';
  if (!isObjectSchema(one) || !isObjectSchema(other)) return false;
  return [...requiredProperties(one)].some(([name, property]) => {
    const counterpart = requiredProperties(other).get(name);
    return counterpart !== undefined && haveNothingInCommon(valuesIn(property), valuesIn(counterpart));
  });
}

function haveNothingInCommon(some: readonly unknown[] | undefined, others: readonly unknown[] | undefined): boolean {
  return some !== undefined && others !== undefined && lacking(some, others).length === some.length;
}

/** Returns the values that a schema allows. Undefined if the schema has no `const` or `enum`. */
function valuesIn({ const: only, enum: values }: Record<string, unknown>): unknown[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(values) ? values : undefined;
}

/** Returns the types that a schema allows. Undefined if the schema has no `type`. */
function typesIn({ type }: Record<string, unknown>): unknown[] | undefined {
  return type === undefined ? undefined : typesOf(type);
}

function requiredProperties({ required, properties }: Record<string, unknown>): Map<unknown, Record<string, unknown>> {
  const known = new Map(Object.entries(isObject(properties) ? properties : {}));
  const names = Array.isArray(required) ? required : [];
  return new Map(
    names.flatMap((name: unknown) => {
      const property = known.get(String(name));
      return isObject(property) ? [[name, property] as const] : [];
    }),
  );
}

function lacking(members: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new Set(others.map(canonicalJson));
  return members.filter((member) => !known.has(canonicalJson(member)));
}
