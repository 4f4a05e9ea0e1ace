import { compileJsonSchema } from '../../protocol/schema/json-schema.ts';

/** Reports whether a value is valid under a JSON Schema that can be used. */
export function fitsSchema(value: unknown, schema: Readonly<Record<string, unknown>>): boolean {
  try {
    return compileJsonSchema(schema)(value).length === 0;
  } catch {
    return false;
  }
}
