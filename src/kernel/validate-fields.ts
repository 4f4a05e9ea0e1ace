import { didYouMean } from './did-you-mean.ts';

/** Key of a file that users write, and its allowed values. */
export interface Field {
  /** Meaning of the value, for messages and schemas. */
  doc: string;
  /** Description of the allowed values, for messages. */
  wanted: string;
  required?: true;
  /** Returns the value; undefined if it is not allowed. */
  read(value: unknown): unknown;
}

/** Fields by name. */
export type Fields = Readonly<Record<string, Field>>;

/** Path of a value in a file: its keys and indexes from the root. */
export type Path = readonly (string | number)[];

/** Problem at one place of a file. */
export interface FieldProblem {
  path: Path;
  why: string;
  next: string;
}

/**
 * Returns the first problem of a mapping: an unknown key, a value that is not allowed, a required key that is missing.
 */
export function fieldProblem(value: unknown, fields: Fields, path: Path): FieldProblem | undefined {
  if (!isMapping(value)) {
    const example = Object.keys(fields).slice(0, 3).join(', ');
    return { path, why: 'it is not a mapping', next: `Write keys and values: ${example}.` };
  }
  const names = Object.keys(fields);
  for (const [key, one] of Object.entries(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined)
      return { path: [...path, key], why: `nothing is called "${key}" here`, next: meant(key, names) };
    if (field.read(one) !== undefined) continue;
    const next = `It has to be ${field.wanted}: ${field.doc}.`;
    return { path: [...path, key], why: `"${key}" is ${JSON.stringify(one)}`, next };
  }
  const missing = names.find((name) => fields[name]!.required && !Object.hasOwn(value, name));
  if (missing === undefined) return undefined;
  const { wanted, doc } = fields[missing]!;
  return { path, why: `"${missing}" is missing`, next: `Write ${wanted}: ${doc}.` };
}

/** Yields the scalar values of a tree, each with its path. */
export function* leavesOf(value: unknown, path: Path): Generator<{ value: unknown; path: Path }> {
  if (typeof value !== 'object' || value === null) return void (yield { value, path });
  const isList = Array.isArray(value);
  for (const [key, one] of Object.entries(value)) yield* leavesOf(one, [...path, isList ? Number(key) : key]);
}

function meant(key: string, names: readonly string[]): string {
  const name = didYouMean(key, names);
  return name === undefined ? `It may have: ${names.join(', ')}.` : `Did you mean "${name}"?`;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
