import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import { isObject } from '../message.ts';

const require = createRequire(import.meta.url);
/**
 * Drafts before 2019-09, in which `items` and `definitions` have another meaning. MCP's default is 2020-12 (SEP-1613).
 */
const OLDER_DRAFT = /draft-0[67]/;

/** Returns the violations of a schema by a value, each as `path: reason`; empty for a valid value. */
export type SchemaCheck = (value: unknown) => string[];

/**
 * Compiles a JSON Schema of 2020-12, or of the older draft named in `$schema`. The validator library is loaded on the
 * first call. `format` is not checked. A schema that refers to itself without end for a value is violated by it.
 * @throws Error if the schema is invalid or has an unresolved reference
 */
export function compileJsonSchema(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const validate = validatorOf(schema, { allErrors: true }).compile(schema);
  return (value) => {
    try {
      return validate(value) ? [] : (validate.errors ?? []).map(errorText);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return ['the value is nested too deep, or the schema refers to itself without end'];
    }
  };
}

export interface SchemaBreach {
  /** JSON Pointer to the part. */
  path: string;
  value: unknown;
  /** Reason, as a clause. */
  why: string;
}

/** Returns the first violation of one definition by a value. Undefined: the value is valid. */
export type DefinitionCheck = (value: unknown) => SchemaBreach | undefined;

type Definitions = Readonly<Record<string, unknown>>;

/**
 * Returns a function that compiles the definition of a given name on demand. It returns undefined if the schema has no
 * such definition.
 */
export function compileDefinitions(schema: Definitions): (name: string) => DefinitionCheck | undefined {
  const validatorFor = definitionValidators(schema, {});
  return (name) => {
    const validate = validatorFor(name);
    return (
      validate &&
      ((value) => (validate(value) ? undefined : breachOf(deepest(meantAlternative(validate.errors ?? [])))))
    );
  };
}

/** Returns a function that returns all violations of the definition of a given name by a value. */
export function compileWholeDefinitions(schema: Definitions): (name: string, value: unknown) => SchemaBreach[] {
  const validatorFor = definitionValidators(schema, { allErrors: true });
  return (name, value) => {
    const validate = validatorFor(name);
    return validate === undefined || validate(value) ? [] : (validate.errors ?? []).map(breachOf);
  };
}

function definitionValidators(schema: Definitions, options: Options): (name: string) => ValidateFunction | undefined {
  const keyword = '$defs' in schema ? '$defs' : 'definitions';
  // The official schemas are valid, which a test shows: to check it at each start takes a quarter of the time of a short lint.
  const trusted: Options = { verbose: true, validateSchema: false, ...options };
  const validator = validatorOf(schema, trusted).addSchema(schema, 'all');
  return (name) => validator.getSchema(`all#/${keyword}/${name}`);
}

/**
 * Creates a function that returns why a schema cannot be compiled. Undefined: it can. The validators are made once, which
 * takes longer than a usual schema. They keep the schemas, so callers drop the function after a list of schemas.
 * `unicodeRegExp: false` allows patterns that Unicode mode does not, such as `[\w-.]`.
 */
export function createSchemaProblem({
  unicodeRegExp = true,
}: {
  unicodeRegExp?: boolean;
} = {}): (schema: Readonly<Record<string, unknown>>) => string | undefined {
  const validators = new Map<string, Ajv>();
  return (schema) => {
    // Two schemas may have the same id. A schema without one can only refer to itself if the validator keeps it.
    const addUsedSchema = schema.$id === undefined;
    const key = `${isOlderDraft(schema)} ${addUsedSchema}`;
    const validator = validators.get(key) ?? validatorOf(schema, { addUsedSchema, unicodeRegExp });
    validators.set(key, validator);
    try {
      validator.compile(schema);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

/** Returns a validator of the draft of a schema. */
export function validatorOf(schema: Readonly<Record<string, unknown>>, options: Options): Ajv {
  const { default: Validator } = require(isOlderDraft(schema) ? 'ajv' : 'ajv/dist/2020.js') as {
    default: new (options: Options) => Ajv;
  };
  // Most validators see few values: to make their code shorter takes longer than to run it as it is.
  return new Validator({ strict: false, validateFormats: false, logger: false, code: { optimize: false }, ...options });
}

/** Reports whether a schema is of a draft before 2019-09. */
export function isOlderDraft({ $schema }: Readonly<Record<string, unknown>>): boolean {
  return typeof $schema === 'string' && OLDER_DRAFT.test($schema);
}

/**
 * Returns the errors without those of alternatives (`anyOf`) that have another constant than the value, such as another
 * `type`. Returns all errors if nothing is left.
 */
function meantAlternative(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const meant = errors.filter(
    ({ keyword, parentSchema, data }) =>
      keyword !== 'anyOf' && keyword !== 'const' && !hasOtherConstant(parentSchema, data),
  );
  return meant.length > 0 ? meant : errors;
}

/** Reports whether a value has a member for which the schema has another constant. */
function hasOtherConstant(schema: ErrorObject['parentSchema'], value: unknown): boolean {
  const properties: Record<string, { const?: unknown }> = schema?.properties ?? {};
  return (
    isObject(value) &&
    Object.entries(properties).some(
      ([name, { const: constant }]) => constant !== undefined && value[name] !== undefined && value[name] !== constant,
    )
  );
}

/**
 * Returns the error with the deepest path. Among alternatives (`anyOf`), the deepest error belongs to the alternative
 * that the author meant.
 */
function deepest(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
  return errors.reduce<ErrorObject | undefined>(
    (best, error) => (best === undefined || depth(error) > depth(best) ? error : best),
    undefined,
  );
}

function breachOf(error: ErrorObject | undefined): SchemaBreach {
  const { instancePath = '', data, message = 'is not as the schema says', params } = error ?? {};
  return { path: instancePath, value: data, why: `${message}${choices(params?.allowedValues)}` };
}

/** Returns an error as `path: reason`. */
export function errorText({
  instancePath,
  message = 'is not as the schema says',
  params,
  keyword,
}: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const more = keyword === 'additionalProperties' ? `: ${params.additionalProperty}` : choices(params.allowedValues);
  return `${path === '' ? '' : `${path}: `}${message}${more}`;
}

function choices(allowed: unknown): string {
  return Array.isArray(allowed) ? `: ${allowed.map((value) => JSON.stringify(value)).join(', ')}` : '';
}
