import { instantOf } from '../../kernel/clock.ts';
import { briefJson } from '../json-text.ts';
import { isObject, type Params } from '../message.ts';

/** Tests for the formats that a form may name (2025-11-25, "Requested Schema"). None refuses what any reader accepts. */
const FORMATS: ReadonlyMap<unknown, (text: string) => boolean> = new Map([
  ['email', (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)],
  ['uri', (text: string) => URL.canParse(text)],
  ['date', (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isInstant(text)],
  ['date-time', (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/i.test(text) && isInstant(text)],
]);

function isInstant(text: string): boolean {
  return !Number.isNaN(instantOf(text).getTime());
}

/** Returns the problem of a form's value that is not of the format that its property names. Undefined: there is none. */
export function formFormatProblem(content: Params, schema: unknown): string | undefined {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  for (const [name, value] of Object.entries(content)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const format = isObject(property) ? property.format : undefined;
    if (typeof value !== 'string' || (FORMATS.get(format)?.(value) ?? true)) continue;
    return `its content has ${name} ${briefJson(value)}, which is no ${String(format)}`;
  }
  return undefined;
}
