import { instantOf } from '../../kernel/clock.ts';
import { briefJson } from '../json-text.ts';
import { isObject, type Params } from '../message.ts';

/** Tests for the formats that a form may name (2025-11-25, "Requested Schema"). None refuses what any reader accepts. */
const FORMATS: ReadonlyMap<unknown, (text: string) => boolean> = new Map([
  ['email', (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)],
  ['uri', (text: string) => URL.canParse(text)],
  ['date', isDate],
  ['date-time', isDateTime],
]);

/** Reports whether a text is a day of the calendar, as `full-date` of RFC 3339. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const instant = instantOf(text);
  // A day that its month does not have is read as one of the next month.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** Reports whether a text is an instant with its offset, as `date-time` of RFC 3339. */
function isDateTime(text: string): boolean {
  const [, day, time, rest] = /^([\d-]+)T(\d\d:\d\d:\d\d)((?:\.\d+)?(?:Z|[+-]\d\d:\d\d))$/i.exec(text) ?? [];
  if (day === undefined || time === undefined || rest === undefined || !isDate(day)) return false;
  // A leap second is valid, but no Date.
  return !Number.isNaN(instantOf(`${day}T${time.replace(/:60$/, ':59')}${rest}`).getTime());
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
