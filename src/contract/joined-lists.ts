import { isObject } from '../protocol/message.ts';
import { LISTS } from './list-change.ts';

/** The answer of a list of `method` with the items of its next page. An answer that is no list stands for the whole. */
export function joinLists(method: string, first: unknown, next: unknown): unknown {
  const field = LISTS.get(method)!.field;
  const result = isObject(first) && isObject(first.result) ? first.result : undefined;
  const more = isObject(next) && isObject(next.result) ? next.result[field] : undefined;
  const items = result?.[field];
  if (!isObject(first) || !Array.isArray(items) || !Array.isArray(more)) return next;
  return { ...first, result: { ...result, [field]: [...items, ...more] } };
}
