import { canonicalJson } from '../../match/canonical-json.ts';
import type { AffectedUse, AffectedValues } from '../../match/contract-change-types.ts';
import { ExactNumber } from '../../match/exact-json-value.ts';
import { parsePointer } from '../../match/ignore-rules.ts';
import { isObject } from '../../protocol/message.ts';
import { placeholdersIn } from '../../redact/replace/placeholder-format.ts';

/** Reports whether a call with these arguments is affected by a change of an argument. */
export function isAffectedCall({ argument, when, values }: AffectedUse, sent: unknown): boolean {
  if (argument === undefined) return true;
  const steps = parsePointer(argument);
  if (when === 'omitted') {
    const name = steps.pop() ?? '';
    return valuesAt(sent ?? {}, steps).some((holder) => isObject(holder) && !Object.hasOwn(holder, name));
  }
  return valuesAt(sent ?? {}, steps).some((value) => values === undefined || isIn(values, value));
}

function valuesAt(root: unknown, steps: readonly string[]): unknown[] {
  return steps.reduce<unknown[]>((holders, step) => holders.flatMap((holder) => membersOf(holder, step)), [root]);
}

function membersOf(holder: unknown, step: string): unknown[] {
  if (typeof holder !== 'object' || holder === null || holder instanceof ExactNumber) return [];
  if (step === '*') return Object.values(holder);
  return Object.hasOwn(holder, step) ? [(holder as Record<string, unknown>)[step]] : [];
}

/**
 * Reports whether a change affects a value. A redacted value always counts as affected, because its content is unknown.
 */
function isIn({ of, in: members, notIn }: AffectedValues, value: unknown): boolean {
  if (placeholdersIn(canonicalJson(value)).length > 0) return true;
  const known = of === 'value' ? canonicalJson(value) : canonicalJson(typeOf(value));
  const has = (set: readonly unknown[]) => set.some((member) => canonicalJson(member) === known);
  return members === undefined ? !has(notIn ?? []) : has(members);
}

/** Returns the JSON Schema type of a value. `number` stands for numbers that are not integers. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof ExactNumber) return /[.e-]/i.test(value.digits.slice(1)) ? 'number' : 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
