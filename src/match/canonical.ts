import { isObject } from '../protocol/message.ts';
import { ExactNumber } from './exact-number.ts';

/**
 * Text that is equal for equal JSON values only: key order does not count, the order of lists does. An element that
 * was taken out of a list is nothing, which is no value of JSON.
 */
export function canonical(value: unknown): string {
  if (value === undefined) return '';
  if (value instanceof ExactNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  let members = '';
  for (const key of Object.keys(value).sort())
    members += `${members && ','}${JSON.stringify(key)}:${canonical(value[key])}`;
  return `{${members}}`;
}
