import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';

/** Keywords that say no more than that something within is wrong, which the list has, too. */
const OUTER = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf']);

/**
 * Returns what of a value violates a schema. Patterns and formats are not checked: those of somebody else may keep the page
 * busy for ever. Undefined: the schema cannot be checked without them, or is none.
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

/** MCP takes a schema that names no draft for one of 2020-12. */
function draftOf({ $schema = '' }: { $schema?: unknown }): SchemaDraft {
  const [, old, recent] = /draft-0(4|7)|(2019-09)/.exec(String($schema)) ?? [];
  return (old ?? recent ?? '2020-12') as SchemaDraft;
}
