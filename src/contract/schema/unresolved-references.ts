import { parsePointer } from '../../match/ignore-rules.ts';
import { isObject } from '../../protocol/message.ts';

/**
 * Returns references to missing parts of the same schema, as written. References to anchors and other documents are
 * ignored, and so are parts with an `$id`, which are separate documents.
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

/** Keywords whose values are not schemas. */
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
