import { isObject } from '../protocol/message.ts';
import { collectedField } from '../protocol/method-table.ts';

/**
 * Joins pages or polls: appends the items of the `next` answer to the `first` one. If either answer lacks a list,
 * returns `next`.
 */
export function joinLists(method: string, first: unknown, next: unknown): unknown {
  const field = collectedField(method)!;
  const result = isObject(first) && isObject(first.result) ? first.result : undefined;
  const more = isObject(next) && isObject(next.result) ? next.result[field] : undefined;
  const items = result?.[field];
  if (!isObject(first) || !Array.isArray(items) || !Array.isArray(more)) return next;
  return { ...first, result: { ...result, [field]: [...items, ...more] } };
}
