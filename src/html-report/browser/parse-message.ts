import { parseJson } from '../../protocol/json-text.ts';
import type { Content } from '../data/report-data-types.ts';

/** JSON object with arbitrary fields. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns the value if it is a JSON object, else undefined. */
export function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** Returns the message of an event's content. Undefined: the content is not JSON, or truncated. */
export function messageIn(content: Content | undefined): Json | undefined {
  return content?.language === 'json' ? objectOf(parseJson(content.text)) : undefined;
}

/** Returns the result of a response. */
export function resultIn(content: Content | undefined): Json | undefined {
  return objectOf(messageIn(content)?.result);
}
