import { isObject } from '../protocol/message.ts';
import { collectedField } from '../protocol/method-rules.ts';

/**
 * Appends the items of the next page or poll to the first answer. Without a list in both answers, the next one is
 * returned unchanged.
 */
export function joinLists(method: string, first: unknown, next: unknown): unknown {
  const field = collectedField(method)!;
  const result = isObject(first) && isObject(first.result) ? first.result : undefined;
  const more = isObject(next) && isObject(next.result) ? next.result[field] : undefined;
  const items = result?.[field];
  if (!isObject(first) || !Array.isArray(items) || !Array.isArray(more)) return next;
  return { ...first, result: { ...result, [field]: [...items, ...more] } };
}
