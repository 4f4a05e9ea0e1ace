import type { Ajv, ErrorObject, Options } from 'ajv';
import { compileLinear, type LinearRegex } from '../../kernel/linear-regex.ts';
import { errorText, isOlderDraft, validatorOf } from './json-schema.ts';

/** A violation of a schema by a part of a value. */
export interface SchemaError {
  keyword: string;
  /** JSON Pointer to the part. */
  path: string;
  value: unknown;
  /** The violation, as `path: reason`. */
  text: string;
}

/** Returns the violations of a foreign schema by a value. */
export type ForeignSchemaCheck = (value: unknown) => SchemaError[];

/**
 * Creates a function that compiles JSON Schemas of a stranger for values of a stranger. Patterns are those of RE2, so that
 * none takes forever. One that RE2 does not have, such as a lookahead, accepts every text. `multipleOf` allows for the
 * rounding of fractions. The validators are made once, which takes far longer than a usual schema.
 *
 * The function throws if a schema is invalid or has an unresolved reference. A check throws if its schema refers to itself
 * without end, or has a pattern that must not accept every text.
 */
export function createForeignSchemaCompiler(): (schema: Readonly<Record<string, unknown>>) => ForeignSchemaCheck {
  const validators = new Map<string, Ajv>();
  return (foreign) => {
    // No keyword of JSON Schema: the validator would answer later, and reject.
    const { $async: _, ...schema } = foreign;
    const text = JSON.stringify(schema);
    const needsEvery = NEEDS_EVERY_PATTERN.test(text);
    const key = `${isOlderDraft(schema)} ${needsEvery}`;
    // A validator keeps the ids of its schemas, which may have the same ones.
    const known = text.includes('"$id":') ? undefined : validators.get(key);
    const validator = known ?? validatorOf(schema, foreignOptions(needsEvery));
    if (known === undefined && !text.includes('"$id":')) validators.set(key, validator);
    const validate = validator.compile(schema);
    return (value) => (validate(value) ? [] : (validate.errors ?? []).map(schemaError));
  };
}

function foreignOptions(needsEvery: boolean): Options {
  const code = { optimize: false, regExp: linearPatterns(needsEvery) };
  const numbers: Options = { strictNumbers: false, multipleOfPrecision: 6 };
  return { allErrors: true, verbose: true, ...numbers, code };
}

function schemaError(error: ErrorObject): SchemaError {
  const { keyword, instancePath: path, data: value } = error;
  return { keyword, path, value, text: errorText(error) };
}

/** Keywords for which a value becomes invalid because a pattern accepts a text. */
const NEEDS_EVERY_PATTERN = /"(?:not|if|oneOf|contains|patternProperties)":/;

type Patterns = NonNullable<NonNullable<Options['code']>['regExp']>;

/** Returns what compiles patterns for RE2, each on its first use. */
function linearPatterns(needsEvery: boolean): Patterns {
  const patternOf = (pattern: string) => {
    let expression: Pick<LinearRegex, 'test'> | undefined;
    const test = (text: string) => {
      expression ??= compiledPattern(pattern, needsEvery);
      return expression.test(text);
    };
    return { test, toString: () => pattern };
  };
  return Object.assign(patternOf, { code: '' });
}

function compiledPattern(pattern: string, isNeeded: boolean): Pick<LinearRegex, 'test'> {
  try {
    return compileLinear(pattern);
  } catch (error) {
    if (isNeeded) throw error;
    return { test: () => true };
  }
}
