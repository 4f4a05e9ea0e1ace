import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';

/** Keywords whose errors merely repeat errors of subschemas, which the list contains anyway. */
const OUTER = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf']);

/**
 * Returns the violations of a JSON Schema in a value. Skips `pattern` and `format`: a foreign regular expression may
 * block the page forever. Undefined: the schema uses `patternProperties`, or is invalid.
 */
export function violations(schema: object, value: unknown): OutputUnit[] | undefined {
  const text = JSON.stringify(schema);
  if (text.includes('"patternProperties":')) return undefined;
  const checked = JSON.parse(text, (key, part) => (isSkipped(key) && typeof part === 'string' ? undefined : part));
  try {
    const { errors } = new Validator(checked as Schema, draftOf(checked), false).validate(value);
    return errors.filter(({ keyword }) => !OUTER.has(keyword));
  } catch {
    return undefined;
  }
}

function isSkipped(key: string): boolean {
  return key === 'pattern' || key === 'format';
}

/** Returns the JSON Schema draft. MCP reads a schema without `$schema` as 2020-12. */
function draftOf({ $schema = '' }: { $schema?: unknown }): SchemaDraft {
  const [, old, recent] = /draft-0(4|7)|(2019-09)/.exec(String($schema)) ?? [];
  return (old ?? recent ?? '2020-12') as SchemaDraft;
}
