import { parsePointer } from '../../match/ignore-rules.ts';
import { isObject } from '../../protocol/message.ts';

/**
 * Returns the references of a schema to parts of itself that it does not have, as they are written. References to
 * anchors and to other documents are left out, and parts with an `$id`, which are documents of their own.
 */
export function unresolvedReferences(schema: Record<string, unknown>): string[] {
  return [...new Set(referencesIn(schema))].filter((target) => !has(schema, target.slice(1)));
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value) || value.$id !== undefined) return [];
  const { $ref } = value;
  const own = typeof $ref === 'string' && $ref.startsWith('#/') ? [$ref] : [];
  return [...own, ...Object.entries(value).flatMap(([name, member]) => (DATA.has(name) ? [] : referencesIn(member)))];
}

/** Keywords whose values are no schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

function has(root: unknown, pointer: string): boolean {
  let value = root;
  for (const step of parsePointer(decoded(pointer))) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
    value = (value as Record<string, unknown>)[step];
  }
  return true;
}

/** Decodes a fragment of a URI. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
