import { isObject } from '../../../protocol/message.ts';

export type Schema = Readonly<Record<string, unknown>>;
export type Path = readonly (string | number)[];

/** Place in arguments, with the parts of the schema that apply there. */
export interface Place {
  path: Path;
  /**
   * Schema of the place, with its references and alternatives. These parts only propose values: the complete schema
   * decides.
   */
  hints: readonly Schema[];
  /** Value of the place in the example. */
  value: unknown;
}

const DEPTH_MAX = 6;
const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf'] as const;

/** Returns every place of an example, the root first. Of a list, only its first item is a place. */
export function schemaPlaces(root: Schema, example: unknown): Place[] {
  const visit = (schemas: readonly unknown[], path: Path, value: unknown): Place[] => {
    const hints = schemas.flatMap((schema) => withAlternatives(root, schema));
    const here: Place = { path, hints, value };
    if (path.length === DEPTH_MAX) return [here];
    if (Array.isArray(value)) {
      return value.length === 0 ? [here] : [here, ...visit(hints.flatMap(itemSchemas), [...path, 0], value[0])];
    }
    if (!isObject(value)) return [here];
    const children = Object.keys(value).flatMap((key) => {
      const inner = hints.flatMap(({ properties }) => (isObject(properties) ? [properties[key]] : []));
      return visit(inner, [...path, key], value[key]);
    });
    return [here, ...children];
  };
  return visit([root], [], example);
}

function itemSchemas({ items, prefixItems }: Schema): unknown[] {
  return [...(Array.isArray(prefixItems) ? prefixItems.slice(0, 1) : []), ...(Array.isArray(items) ? items : [items])];
}

/** Returns a schema together with the schemas that it references or combines. */
function withAlternatives(root: Schema, schema: unknown, depth = 0): Schema[] {
  if (!isObject(schema) || depth > DEPTH_MAX) return [];
  const referred = typeof schema.$ref === 'string' ? [localTarget(root, schema.$ref)] : [];
  const combined = LIST_KEYWORDS.flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : []));
  return [schema, ...[...referred, ...combined].flatMap((one) => withAlternatives(root, one, depth + 1))];
}

function localTarget(root: Schema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(value) ? value[key] : undefined;
  }, root);
}

/** Returns a copy of `value` with another value at a path. Missing parents along the path are copied from `source`. */
export function withValueAt(value: unknown, source: unknown, [step, ...rest]: Path, put: unknown): unknown {
  if (step === undefined) return put;
  const inner = withValueAt(member(value, step) ?? member(source, step), member(source, step), rest, put);
  if (Array.isArray(value)) return [...value.slice(0, Number(step)), inner, ...value.slice(Number(step) + 1)];
  return { ...(isObject(value) ? value : {}), [step]: inner };
}

function member(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string | number, unknown>)[step];
}
