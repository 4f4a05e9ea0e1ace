import type { Content } from '../data/report-data-types.ts';

/** A JSON object whose fields may be anything. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns a value as an object; undefined if it is none. */
export function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** Returns the message in a content. Undefined: it is no JSON, or the page has only its beginning. */
export function messageIn(content: Content | undefined): Json | undefined {
  return content?.language === 'json' ? objectOf(jsonIn(content.text)) : undefined;
}

/** Returns the result in an answer. */
export function resultIn(content: Content | undefined): Json | undefined {
  return objectOf(messageIn(content)?.result);
}

/** Returns the value of a JSON text. Undefined: it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
