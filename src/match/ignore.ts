import { isObject } from '../protocol/message.ts';
import { type Pointer, stepsOf } from '../protocol/pointer.ts';
import { ExactNumber } from './exact-number.ts';

export { escapeStep, type Pointer, stepsOf } from '../protocol/pointer.ts';

/** Gives a message as it shall be compared; it must leave its argument as it is. A number may be an object. */
export type Normalize = (message: unknown) => unknown;

/** What does not count when messages are compared. */
export type Ignore = Pointer | Normalize;

/**
 * `value` without what `ignore` names; what they do not touch is shared, not copied. The elements of a list keep
 * their positions, and a list ends with the last element that is left.
 */
export function without(value: unknown, ignore: readonly Ignore[]): unknown {
  if (ignore.length === 0) return value;
  return ignore.reduce<unknown>(
    (rest, one) => (typeof one === 'function' ? one(rest) : remove(rest, stepsOf(one))),
    value,
  );
}

function remove(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return undefined;
  const names = (key: string | number) => step === '*' || step === String(key);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => (names(index) ? remove(item, rest) : item));
    return items.slice(0, items.findLastIndex((item) => item !== undefined) + 1);
  }
  if (!isObject(value) || value instanceof ExactNumber) return value;
  const members = Object.entries(value).map(([key, item]) => [key, names(key) ? remove(item, rest) : item]);
  return Object.fromEntries(members.filter(([, item]) => item !== undefined));
}
