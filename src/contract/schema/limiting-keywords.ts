/** A changed keyword, with the former and the new schema around it. */
export interface KeywordPair {
  name: string;
  recorded: ReadonlyMap<string, unknown>;
  live: ReadonlyMap<string, unknown>;
}

/** References. Before 2019-09, a schema with `$ref` ignores all other keywords. */
const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/** Keywords that can only make values invalid, unless they exempt values from another keyword. */
export const LIMITS: ReadonlySet<string> = new Set([
  ...['pattern', 'format', 'contentEncoding', 'contentMediaType', 'contentSchema', 'multipleOf'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'uniqueItems'],
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['allOf', 'not', 'if', 'then', 'else', ...REFERENCES],
]);

/**
 * Keywords that exempt values from other keywords of the same schema. Adding the key can make values valid that a
 * listed keyword had excluded.
 */
const EXEMPTS_FROM: ReadonlyMap<string, readonly string[]> = new Map([
  ['patternProperties', ['additionalProperties']],
  ['prefixItems', ['items']],
]);

/**
 * Keywords that evaluate properties or items, and so exempt them from `unevaluatedProperties` or `unevaluatedItems`.
 */
const EVALUATE: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'dependentSchemas'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', ...REFERENCES],
]);

/** Keywords for properties and items that no other keyword has evaluated. */
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'];

/** Keywords without an effect on validation, even beside a reference. */
const INERT: ReadonlySet<string> = new Set([
  ...['description', 'title', '$comment', 'examples', 'default', 'deprecated', '$schema', '$id'],
  ...['$defs', 'definitions'],
]);

/**
 * Reports whether a keyword may exempt values from another keyword of its schema. Adding or removing such a keyword can
 * both widen and narrow the valid values.
 */
export function isExempting({ name, recorded, live }: KeywordPair): boolean {
  const isBeside = (other: string) => other !== name && (recorded.has(other) || live.has(other));
  if (EVALUATE.has(name) && UNEVALUATED.some(isBeside)) return true;
  if (REFERENCES.has(name))
    return [...recorded.keys(), ...live.keys()].some((other) => other !== name && !INERT.has(other));
  return (EXEMPTS_FROM.get(name) ?? []).some(isBeside);
}
