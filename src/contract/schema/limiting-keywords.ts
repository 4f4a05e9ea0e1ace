/** Keyword of a schema, with the schemas that contain it. */
export interface KeywordPair {
  name: string;
  recorded: ReadonlyMap<string, unknown>;
  live: ReadonlyMap<string, unknown>;
}

/** References. Before 2019-09, a schema with `$ref` ignores all other keywords. */
const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/** Keywords of JSON Schema that can only exclude values, unless they exempt values from another keyword. */
export const LIMITS: ReadonlySet<string> = new Set([
  ...['pattern', 'format', 'contentEncoding', 'contentMediaType', 'contentSchema', 'multipleOf'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'uniqueItems'],
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['allOf', 'not', 'if', 'then', 'else', ...REFERENCES],
]);

/** Keywords beside which a schema may accept more with the key's keyword than without it. */
const EXEMPTS_FROM: ReadonlyMap<string, readonly string[]> = new Map([
  ['patternProperties', ['additionalProperties']],
  ['prefixItems', ['items']],
]);

/** Keywords that evaluate properties or items, so that `unevaluatedProperties` or `unevaluatedItems` exempts them. */
const EVALUATE: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'dependentSchemas'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', ...REFERENCES],
]);

/** Keywords that apply to what no other keyword of the schema, or of a subschema in place, has applied to. */
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'];

/** Keywords that a reference may stand beside: they do not affect which values are valid. */
const INERT: ReadonlySet<string> = new Set([
  ...['description', 'title', '$comment', 'examples', 'default', 'deprecated', '$schema', '$id'],
  ...['$defs', 'definitions'],
]);

/**
 * Reports whether a keyword may exempt values from another keyword of its schema. Adding or removing it can then accept
 * more values or fewer.
 */
export function isExempting({ name, recorded, live }: KeywordPair): boolean {
  const isBeside = (other: string) => other !== name && (recorded.has(other) || live.has(other));
  if (EVALUATE.has(name) && UNEVALUATED.some(isBeside)) return true;
  if (REFERENCES.has(name))
    return [...recorded.keys(), ...live.keys()].some((other) => other !== name && !INERT.has(other));
  return (EXEMPTS_FROM.get(name) ?? []).some(isBeside);
}
