import { generateSync, type JsonSchema } from 'json-schema-faker';
import { leavesOf } from '../kernel/validate-fields.ts';
import { isObject } from '../protocol/message.ts';

/** Maximum value of `minItems` and the like. A schema above it gets no example, since examples are for people. */
const LEAST_MAX = 100;
const LEAST: ReadonlySet<string | number | undefined> = new Set([
  'minItems',
  'minLength',
  'minProperties',
  'minContains',
]);
const EXAMPLE_LENGTH_MAX = 10_000;

/** Keywords that determine how a string is generated. Without any, the example is the property's name. */
const CONSTRAINTS = ['pattern', 'format', 'enum', 'const', 'minLength', 'maxLength', 'examples', 'default', 'template'];

/**
 * Returns an example valid for a JSON Schema, or `undefined` if none is found. The result is deterministic. Examples
 * and defaults of the schema are used. References are resolved within the schema only.
 */
export function exampleValue(schema: Record<string, unknown>): unknown {
  for (const { path, value } of leavesOf(schema, []))
    if (LEAST.has(path.at(-1)) && Number(value) > LEAST_MAX) return undefined;
  const options = {
    seed: 1,
    alwaysFakeOptionals: true,
    useExamplesValue: true,
    useDefaultValue: true,
    maxDefaultItems: 2,
  };
  try {
    const value = generateSync(readable(schema) as JsonSchema, options);
    return JSON.stringify(value).length > EXAMPLE_LENGTH_MAX ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Returns the schema with readable examples for unconstrained properties: a string's own name, whole numbers. */
function readable(schema: unknown, name?: string): unknown {
  if (Array.isArray(schema)) return schema.map((one) => readable(one));
  if (!isObject(schema)) return schema;
  const members = Object.entries(schema).map(([key, one]): [string, unknown] => {
    if (key !== 'properties' || !isObject(one)) return [key, readable(one)];
    return [key, Object.fromEntries(Object.entries(one).map(([property, of]) => [property, readable(of, property)]))];
  });
  const copy = Object.fromEntries(members);
  if (name === undefined || CONSTRAINTS.some((constraint) => constraint in copy)) return copy;
  if (copy.type === 'string') return { ...copy, examples: [name] };
  return isFreeNumber(copy) ? { ...copy, examples: [1] } : copy;
}

function isFreeNumber({
  type,
  minimum = 1,
  maximum = 1,
  exclusiveMinimum = 0,
  exclusiveMaximum = 2,
  multipleOf = 1,
}: Record<string, unknown>) {
  const isNumber = type === 'number' || type === 'integer';
  return (
    isNumber &&
    Number(minimum) <= 1 &&
    Number(maximum) >= 1 &&
    Number(exclusiveMinimum) < 1 &&
    Number(exclusiveMaximum) > 1 &&
    multipleOf === 1
  );
}
