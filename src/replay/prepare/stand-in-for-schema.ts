import { type Random, seededRandom } from '../../kernel/random.ts';
import { isObject } from '../../protocol/message.ts';
import { compileJsonSchema, type SchemaCheck } from '../../protocol/schema/json-schema.ts';
import { textForPattern } from './text-for-pattern.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Number of values that are tried. */
const TRIES = 12;
const ALNUM = '[a-z0-9]';
const LENGTH = 12;

/** Texts of the formats that clients check (`ajv-formats`). */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
  email: `redacted-${ALNUM}{8}@example\\.com`,
  'date-time': '20[0-4]\\d-0[1-9]-[01][1-9]T0\\d:[0-5]\\d:[0-5]\\dZ',
  date: '20[0-4]\\d-0[1-9]-[01][1-9]',
  time: '0\\d:[0-5]\\d:[0-5]\\dZ',
  duration: 'P[1-9]\\d{4}D',
  uri: `https://redacted\\.example/${ALNUM}{8}`,
  'uri-reference': `https://redacted\\.example/${ALNUM}{8}`,
  url: `https://redacted\\.example/${ALNUM}{8}`,
  hostname: `${ALNUM}{8}\\.redacted\\.example`,
  ipv4: '192\\.0\\.2\\.[1-9]\\d',
  ipv6: '2001:db8::[1-9a-f]{3}',
  byte: 'cmVk[A-Za-z]{8}',
  'json-pointer': `/${ALNUM}{8}`,
};

/** Reports whether a client that checks a text by this schema may refuse a placeholder in it. */
export function mayRefuse(schema: Schema, text: string): boolean {
  const isOfFormat = typeof schema.format === 'string' && schema.format !== 'password';
  return isOfFormat || checkOf(schema)(text).length > 0;
}

/** Reports whether a value of this schema is a number. */
export function isOfNumber({ type }: Schema): boolean {
  const types = [type].flat();
  return (types.includes('integer') || types.includes('number')) && !types.includes('string');
}

/**
 * Returns the text of a value for the `seed`-th placeholder, which fits all schemas of its places, as a text or as a
 * number, and is none of `taken`. Undefined: none is found.
 */
export function standInFor(schemas: readonly Schema[], seed: number, taken: ReadonlySet<string>): string | undefined {
  const fits = (text: string) =>
    schemas.every((schema) => checkOf(schema)(isOfNumber(schema) ? Number(text) : text).length === 0);
  for (let n = 0; n < TRIES; n++) {
    for (const value of schemas.flatMap((schema) => candidates(schema, seededRandom(seed, n)))) {
      const text = value?.toString();
      if (text !== undefined && !taken.has(text) && fits(text)) return text;
    }
  }
  return undefined;
}

function candidates(schema: Schema, random: Random): (string | number | undefined)[] {
  const { pattern, format, minLength, maxLength, enum: all } = schema;
  if (Array.isArray(all)) return all.filter((one) => typeof one === 'string' || typeof one === 'number');
  if (isOfNumber(schema)) return [numberFor(schema, random)];
  const written = (expression: string) => textForPattern(expression, random);
  const length = Math.min(Math.max(LENGTH, Number(minLength ?? 0)), Number(maxLength ?? LENGTH_MAX));
  return [
    typeof format === 'string' && FORMATS[format] !== undefined ? written(FORMATS[format]) : undefined,
    typeof pattern === 'string' ? written(pattern) : undefined,
    written(`${ALNUM}{${length}}`),
  ];
}

const LENGTH_MAX = 2_000;
/** Range of numbers without limits: six digits, as of most codes. */
const [LEAST, MOST] = [100_000, 999_999];

function numberFor(
  { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: Schema,
  random: Random,
): number {
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const least = numberOf(minimum) ?? numberOf(exclusiveMinimum, 1);
  const most = numberOf(maximum) ?? numberOf(exclusiveMaximum, -1);
  const from = least ?? Math.min(LEAST, most ?? LEAST);
  const to = most ?? Math.max(MOST, from + MOST);
  return Math.ceil((from + random() * Math.max(0, to - from)) / step) * step;
}

function numberOf(value: unknown, more = 0): number | undefined {
  return typeof value === 'number' ? value + more : undefined;
}

const checks = new WeakMap<Schema, SchemaCheck>();

/** Compiles a schema. A schema that cannot be compiled accepts every value. */
function checkOf(schema: Schema): SchemaCheck {
  const check = checks.get(schema) ?? compiled(schema);
  checks.set(schema, check);
  return check;
}

function compiled(schema: Schema): SchemaCheck {
  try {
    return compileJsonSchema(schema);
  } catch {
    return () => [];
  }
}

/** Maximum number of references to follow. */
const REFERENCES_MAX = 16;

/** Returns the schema of the value at a path, as far as properties, items and references within the schema lead there. */
export function schemaAt(root: Schema, path: readonly (string | number)[]): Schema | undefined {
  let schema: unknown = resolved(root, root);
  for (const step of path) {
    if (!isObject(schema)) return undefined;
    const { properties, additionalProperties, prefixItems, items } = schema;
    const member =
      typeof step === 'number'
        ? ((Array.isArray(prefixItems) ? prefixItems[step] : undefined) ?? items)
        : isObject(properties) && Object.hasOwn(properties, step)
          ? properties[step]
          : additionalProperties;
    schema = resolved(member, root);
  }
  if (!isObject(schema)) return undefined;
  const { $defs, definitions, $schema } = root;
  return {
    ...schema,
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    ...($schema !== undefined && { $schema }),
  };
}

/** Follows a reference within the schema. Of alternatives, the first that is not null counts. */
function resolved(schema: unknown, root: Schema): unknown {
  let found = schema;
  for (let n = 0; n < REFERENCES_MAX && isObject(found); n++) {
    const alternatives = found.anyOf ?? found.oneOf;
    if (typeof found.$ref === 'string' && found.$ref.startsWith('#/')) found = valueIn(root, found.$ref);
    else if (Array.isArray(alternatives)) found = alternatives.find((one) => isObject(one) && one.type !== 'null');
    else return found;
  }
  return found;
}

function valueIn(root: Schema, reference: string): unknown {
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>(
    (value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    root,
  );
}
