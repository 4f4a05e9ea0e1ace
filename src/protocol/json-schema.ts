import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options } from 'ajv';

const require = createRequire(import.meta.url);
/** Drafts before 2019-09, whose `items` and `definitions` mean something else. Default of MCP: 2020-12 (SEP-1613). */
const OLDER_DRAFT = /draft-0[67]/;

/** Says in what a value breaks a schema, each as `path: what is wrong`; nothing where it does not. */
export type SchemaCheck = (value: unknown) => string[];

/**
 * Compiles a JSON Schema of 2020-12, or of the older draft that its `$schema` names. What validates is loaded here, once. `format` is
 * not checked.
 * @throws Error for a schema that is none, or refers to what is not in it
 */
export function compileJsonSchema(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const validate = validatorOf(schema, { allErrors: true }).compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(errorText));
}

/** What of a value breaks a schema. */
export interface SchemaBreach {
  /** JSON Pointer to the part. */
  path: string;
  value: unknown;
  /** What is wrong with it, as a clause. */
  why: string;
}

/** Says what of a value breaks one definition of a schema. Undefined: nothing. */
export type DefinitionCheck = (value: unknown) => SchemaBreach | undefined;

/** Compiles definitions of a JSON Schema by their names, each when it is asked for. Undefined: the schema has none of that name. */
export function compileDefinitions(
  schema: Readonly<Record<string, unknown>>,
): (name: string) => DefinitionCheck | undefined {
  const keyword = '$defs' in schema ? '$defs' : 'definitions';
  const validator = validatorOf(schema, { verbose: true }).addSchema(schema, 'all');
  return (name) => {
    const validate = validator.getSchema(`all#/${keyword}/${name}`);
    return validate && ((value) => (validate(value) ? undefined : breachOf(deepest(validate.errors ?? []))));
  };
}

function validatorOf(schema: Readonly<Record<string, unknown>>, options: Options): Ajv {
  const isOlder = typeof schema.$schema === 'string' && OLDER_DRAFT.test(schema.$schema);
  const { default: Validator } = require(isOlder ? 'ajv' : 'ajv/dist/2020.js') as {
    default: new (options: Options) => Ajv;
  };
  return new Validator({ strict: false, validateFormats: false, logger: false, ...options });
}

/** Of the errors of alternatives, the one that came furthest: its alternative is the one that was meant. */
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

function errorText({ instancePath, message = 'is not as the schema says', params, keyword }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const more = keyword === 'additionalProperties' ? `: ${params.additionalProperty}` : choices(params.allowedValues);
  return `${path === '' ? '' : `${path}: `}${message}${more}`;
}

function choices(allowed: unknown): string {
  return Array.isArray(allowed) ? `: ${allowed.map((value) => JSON.stringify(value)).join(', ')}` : '';
}
