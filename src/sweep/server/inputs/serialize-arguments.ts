import { jsonOf } from '../../../protocol/json-text.ts';
import { isObject } from '../../../protocol/message.ts';

/** Arguments of a call. Undefined: the call has no `arguments`. */
export type Arguments = unknown;

/** Stands for -0, which `JSON.stringify` writes as 0. */
const MINUS_ZERO = 'mcp-record:-0';
const SHOWN_STRING_MAX = 60;

/** Returns the arguments as JSON text for the wire. -0 keeps its sign. */
export function argumentsText(value: Arguments): string | undefined {
  const text = JSON.stringify(value, (_, one) => (Object.is(one, -0) ? MINUS_ZERO : one)) as string | undefined;
  return text?.replaceAll(`"${MINUS_ZERO}"`, '-0');
}

/** Returns the arguments for people: in ASCII, and with long strings and lists abbreviated. */
export function shownArguments(value: Arguments): string {
  if (value === undefined) return 'no arguments';
  const text = argumentsText(abbreviated(value)) ?? jsonOf(value);
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const SHOWN_ITEMS_MAX = 5;
const SHOWN_DEPTH_MAX = 8;

function abbreviated(value: unknown, depth = 0): unknown {
  if (typeof value === 'string' && value.length > SHOWN_STRING_MAX) {
    return `${[...value].slice(0, 10).join('')}… (${value.length} characters)`;
  }
  if (depth === SHOWN_DEPTH_MAX && typeof value === 'object' && value !== null) return '…';
  if (Array.isArray(value)) {
    const shown = value.slice(0, SHOWN_ITEMS_MAX).map((one) => abbreviated(one, depth + 1));
    return value.length > SHOWN_ITEMS_MAX ? [...shown, `… (${value.length} items)`] : shown;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, abbreviated(one, depth + 1)]));
}

/** Returns about the length of the JSON text. A number counts with all its digits, so that 1e308 is larger than 1000. */
export function sizeOf(value: Arguments): number {
  if (typeof value === 'number') return String(value).length + Math.max(0, Math.log10(Math.abs(value) || 1));
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + 1 + sizeOf(one), 2);
  if (!isObject(value)) return JSON.stringify(value)?.length ?? 0;
  return Object.entries(value).reduce((sum, [key, one]) => sum + key.length + 4 + sizeOf(one), 2);
}

/** Returns the values without those whose JSON text came before. */
export function distinct(values: readonly Arguments[]): Arguments[] {
  return [...new Map(values.map((value) => [argumentsText(value), value])).values()];
}
