import { isObject } from '../../protocol/message.ts';

/** Members of a result that no program needs as an answer. */
const ABOUT_THE_ANSWER = new Set(['_meta', 'annotations', 'icons']);

export interface ShapeOptions {
  /** Whether the members of objects may go, but for those of JSON in texts. */
  mayLoseMembers: boolean;
  /** Names and URIs that the client sends. Listed items with these names stay. */
  used: ReadonlySet<unknown>;
}

/**
 * Reports whether a smaller value is an answer of the same kind: lists and texts that had something are not empty, JSON
 * in a text stays JSON, and objects keep their members. A client that swallows errors ends in the same way without them,
 * and its mended version fails.
 */
export function keepsShape(whole: unknown, smaller: unknown, options: ShapeOptions): boolean {
  if (typeof whole === 'string') return typeof smaller === 'string' && keepsShapeOfText(whole, smaller, options);
  if (Array.isArray(whole)) return Array.isArray(smaller) && keepsShapeOfList(whole, smaller, options);
  if (!isObject(whole)) return whole === smaller;
  if (!isObject(smaller)) return false;
  return Object.entries(whole).every(([key, value]) => {
    if (key in smaller) return keepsShape(value, smaller[key], options);
    return options.mayLoseMembers || ABOUT_THE_ANSWER.has(key);
  });
}

/** Returns the object or array in a text of JSON. */
export function jsonInText(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function keepsShapeOfText(whole: string, smaller: string, options: ShapeOptions): boolean {
  const json = jsonInText(whole);
  if (json) return keepsShape(json, jsonInText(smaller), { ...options, mayLoseMembers: false });
  return whole.startsWith(smaller) && (smaller !== '' || whole === '');
}

/** Compares each remaining item with an item of the whole list: items go, and keep their order. */
function keepsShapeOfList(whole: readonly unknown[], smaller: readonly unknown[], options: ShapeOptions): boolean {
  let next = 0;
  for (const item of whole) {
    const kept = next < smaller.length && keepsShape(item, smaller[next], options) ? smaller[next] : undefined;
    if (kept !== undefined) next++;
    if (!keepsUsedNames(item, kept, options)) return false;
  }
  return next === smaller.length && (smaller.length > 0 || whole.length === 0);
}

function keepsUsedNames(item: unknown, kept: unknown, { used }: ShapeOptions): boolean {
  if (!isObject(item)) return true;
  return ['name', 'uri'].every((key) => !used.has(item[key]) || (isObject(kept) && kept[key] === item[key]));
}
