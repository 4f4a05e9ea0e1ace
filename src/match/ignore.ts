import { McpRecordError } from '../kernel/errors.ts';
import { isObject } from '../protocol/message.ts';
import { ExactNumber } from './exact-number.ts';

/**
 * JSON Pointers (RFC 6901) from the root of a message, e.g. `/params/arguments/now`. A step that is `*` stands for
 * every key or index.
 */
export type Pointer = string;

/** Gives a message as it shall be compared; it must leave its argument as it is. A number may be an object. */
export type Normalize = (message: unknown) => unknown;

/** What does not count when messages are compared. */
export type Ignore = Pointer | Normalize;

/**
 * The steps of a pointer, unescaped.
 * @throws McpRecordError USAGE_BAD_POINTER where it neither is empty nor begins with a slash
 */
export function stepsOf(pointer: Pointer): string[] {
  if (pointer !== '' && !pointer.startsWith('/')) throw badPointer(pointer);
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function badPointer(pointer: Pointer): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_POINTER',
    what: `Cannot use "${pointer}" as a JSON Pointer`,
    why: 'it does not begin with a slash',
    next: 'Name the path from the root of a message, such as /params/arguments/now.',
  });
}

/** One step of a pointer, escaped. */
export function escapeStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * `value` without what `ignore` names; what they do not touch is shared, not copied. The elements of a list keep
 * their positions, and a list ends with the last element that is left.
 */
export function without(value: unknown, ignore: readonly Ignore[]): unknown {
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
