import { messageOf } from '../kernel/errors.ts';
import { isAwaitable } from '../kernel/platform/other-realms.ts';
import { isObject } from '../protocol/message.ts';
import { compileJsonSchema, type SchemaCheck } from '../protocol/schema/json-schema.ts';

/** A JSON Schema, as sent to the client. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A library's schema that converts itself to JSON Schema (Standard Schema and Standard JSON Schema, version 1): zod
 * from 4.2 on, ArkType, Valibot.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => JsonSchema;
      readonly output: (options: { readonly target: 'draft-2020-12' }) => JsonSchema;
    };
  };
}

/** Result of a validation by a Standard Schema: the value, or its issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Issue that a Standard Schema found in a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Schema of a tool's arguments or structured content. */
export type ToolSchema = JsonSchema | StandardSchema;

/** The type of arguments that a schema describes. */
export type ArgumentsOf<Schema> = Schema extends StandardSchema<unknown, infer Output> ? Output : ValueOf<Schema>;

type ValueOf<Schema> = Schema extends { const: infer Value }
  ? Value
  : Schema extends { enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { type: keyof ValueOfType }
      ? Schema extends { type: 'array'; items: infer Item }
        ? ValueOf<Item>[]
        : Schema extends { type: 'object'; properties: infer Properties }
          ? Members<Properties, Schema extends { required: readonly (infer Name)[] } ? Name : never>
          : ValueOfType[Schema['type']]
      : // biome-ignore lint/suspicious/noExplicitAny: a schema that says nothing of a value lets it be any.
        any;

type Members<Properties, Required> = {
  -readonly [Name in keyof Properties as Name extends Required ? Name : never]: ValueOf<Properties[Name]>;
} & {
  -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: ValueOf<Properties[Name]>;
};

interface ValueOfType {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  array: any[];
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  object: Record<string, any>;
}

/** Returns a schema as JSON Schema, for received arguments (`input`) or produced values (`output`). */
export function jsonSchemaOf(schema: ToolSchema, side: 'input' | 'output'): JsonSchema {
  return isStandard(schema) ? schema['~standard'].jsonSchema![side]({ target: 'draft-2020-12' }) : schema;
}

/** Returns the problem of a schema, or `undefined`. */
export function schemaProblem(schema: unknown): string | undefined {
  if (schema === undefined) return undefined;
  if (isStandard(schema)) {
    const { vendor, jsonSchema } = schema['~standard'];
    if (jsonSchema) return undefined;
    return `a schema of ${vendor} of this version cannot be converted to JSON Schema: use ${vendor === 'zod' ? 'zod 4.2 or later' : 'a newer version of it'}, or pass a JSON Schema`;
  }
  if (!isObject(schema)) return 'a schema is an object';
  if (Object.values(schema).some(isStandard))
    return 'it has schemas as members, and is not a schema itself: write z.object({ … })';
  return undefined;
}

/** Value as converted by a schema, or the problem of the value. */
export type CheckedValue = { value: unknown } | { problem: string };

/** Validates a value, and converts the value according to its schema. */
export type ValueCheck = (value: unknown) => CheckedValue | Promise<CheckedValue>;

/**
 * Returns a function that validates values against a schema. Throws a TypeError with `name` if the JSON Schema is
 * invalid.
 */
export function valueCheck(schema: ToolSchema, name: 'inputSchema' | 'outputSchema'): ValueCheck {
  if (!isStandard(schema)) return jsonSchemaCheck(schema, name);
  return (value) => {
    const result = schema['~standard'].validate(value);
    return isAwaitable(result) ? result.then(checkedValue) : checkedValue(result);
  };
}

function checkedValue(result: StandardResult<unknown>): CheckedValue {
  if (result.issues === undefined) return { value: result.value };
  return { problem: result.issues.map(issueText).join('; ') };
}

function jsonSchemaCheck(schema: JsonSchema, name: string): (value: unknown) => CheckedValue {
  let check: SchemaCheck | undefined;
  return (value) => {
    check ??= compiled(schema, name);
    const problems = check(value);
    return problems.length === 0 ? { value } : { problem: problems.join('; ') };
  };
}

function compiled(schema: JsonSchema, name: string): SchemaCheck {
  try {
    return compileJsonSchema(schema);
  } catch (error) {
    throw new TypeError(`${name} is no JSON Schema: ${messageOf(error)}`);
  }
}

function issueText({ message, path = [] }: StandardIssue): string {
  const keys = path.map((key) => String(typeof key === 'object' ? key.key : key));
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}

function isStandard(schema: unknown): schema is StandardSchema {
  // ArkType schemas are functions.
  const hasMembers = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  return hasMembers && isObject((schema as Record<string, unknown>)['~standard']);
}
