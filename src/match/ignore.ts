import { isObject } from '../protocol/message.ts';

/**
 * JSON Pointers (RFC 6901) from the root of a message, e.g. `/params/arguments/now`. A step that is `*` stands for
 * every key or index.
 */
export type Pointer = string;

/** The steps of a pointer, unescaped. */
export function stepsOf(pointer: Pointer): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** One step of a pointer, escaped. */
export function escapeStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** `value` without what the pointers name; what they do not touch is shared, not copied. */
export function without(value: unknown, pointers: readonly Pointer[]): unknown {
  return pointers.reduce((rest, pointer) => remove(rest, stepsOf(pointer)), value);
}

function remove(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return undefined;
  if (Array.isArray(value)) {
    return value.map((item, index) => (step === '*' || step === String(index) ? remove(item, rest) : item));
  }
  if (!isObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const after = step === '*' || step === key ? remove(item, rest) : item;
    if (after !== undefined) kept[key] = after;
  }
  return kept;
}
