import { exampleValue } from '../../../contract/example-value.ts';
import { McpRecordError, messageOf } from '../../../kernel/errors.ts';
import { isObject } from '../../../protocol/message.ts';
import { compileJsonSchema } from '../../../protocol/schema/json-schema.ts';
import { type Path, type Place, type Schema, schemaPlaces, withValueAt } from './schema-places.ts';
import type { Arguments } from './serialize-arguments.ts';
import type { ListedTool } from './tools-listed-in-cassette.ts';

/** Tool with a usable input schema and with valid example arguments. */
export interface ToolInputs {
  tool: ListedTool;
  schema: Schema;
  /** The smallest arguments found that the schema allows. */
  smallest: Arguments;
  /** Places of arguments with all properties. */
  places: readonly Place[];
  allows(args: Arguments): boolean;
  /** Returns the smallest arguments with another value at a place. */
  withValue(path: Path, value: unknown): Arguments;
}

/**
 * Reads the input schema of a tool.
 * @throws McpRecordError SWEEP_BAD_SCHEMA if the schema is none, or no arguments are found that it allows
 */
export function toolInputs(tool: ListedTool, file: string): ToolInputs {
  const { name, inputSchema: schema, recorded, line } = tool;
  const bad = (why: string, next: string) =>
    new McpRecordError({
      code: 'SWEEP_BAD_SCHEMA',
      what: `Cannot try the inputs of the tool ${JSON.stringify(name)}`,
      why,
      next,
      place: { file, line },
    });
  const repair = 'Correct inputSchema in the server, and record its tools/list again.';
  if (!isObject(schema)) throw bad('its inputSchema is not an object', repair);
  if (schema.type !== 'object') throw bad('its inputSchema does not have "type": "object"', repair);
  const allows = checkOf(schema, (why) => bad(`its inputSchema is no valid JSON Schema: ${why}`, repair));
  const full = fullExample(schema, recorded, allows);
  if (full === undefined) {
    const next = 'Record a session in which a client calls the tool.';
    throw bad('no arguments were found that its inputSchema allows', next);
  }
  const smallest = withoutOptional(full, allows);
  return {
    tool,
    schema,
    smallest,
    places: schemaPlaces(schema, full),
    allows,
    withValue: (path, value) => withValueAt(smallest, full, path, value),
  };
}

function checkOf(schema: Schema, bad: (why: string) => McpRecordError): (value: unknown) => boolean {
  try {
    const check = compileJsonSchema(schema);
    return (value) => check(value).length === 0;
  } catch (error) {
    throw bad(messageOf(error));
  }
}

/**
 * Returns arguments with all properties: those of recorded calls, and examples for all others. Undefined: none are
 * found that the schema allows.
 */
function fullExample(
  schema: Schema,
  recorded: readonly Arguments[],
  allows: (value: Arguments) => boolean,
): Record<string, unknown> | undefined {
  const example = exampleValue(schema);
  const examples = isObject(example) && allows(example) ? [simplified(schema, example, allows)] : [];
  const calls = recorded.filter(isObject);
  const together = examples.flatMap((one) => calls.map((call) => ({ ...one, ...call })));
  return [...together, ...examples, ...calls, {}].find(allows);
}

/** Returns the example with short texts, small numbers and lists of one item, where the schema allows them. */
function simplified(
  schema: Schema,
  example: Record<string, unknown>,
  allows: (value: Arguments) => boolean,
): Record<string, unknown> {
  let simple: unknown = example;
  for (const { path, value } of schemaPlaces(schema, example)) {
    const simpler = simplerThan(value);
    if (simpler === undefined) continue;
    const candidate = withValueAt(simple, simple, path, simpler);
    if (allows(candidate)) simple = candidate;
  }
  return simple as Record<string, unknown>;
}

function simplerThan(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 1 ? 'a' : undefined;
  if (typeof value === 'number') return 1;
  return Array.isArray(value) && value.length > 1 ? value.slice(0, 1) : undefined;
}

/** Removes every property that the schema does not require. */
function withoutOptional(args: Record<string, unknown>, allows: (value: Arguments) => boolean): Arguments {
  let smallest = args;
  for (const key of Object.keys(args)) {
    const { [key]: _, ...rest } = smallest;
    if (allows(rest)) smallest = rest;
  }
  return smallest;
}
