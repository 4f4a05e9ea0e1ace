import type { Field } from './field.ts';
import type { Source } from './source.ts';
import { badEvent } from './trouble.ts';

/** Readers of one field each. All throw McpRecordError TAPE_BAD_EVENT for a wrong type. */

export function textOf(field: Field, source: Source): string {
  const value: unknown = JSON.parse(field.json);
  if (typeof value === 'string') return value;
  throw wrongType(field, source, 'text', 'Put it in quotes.');
}

/** A number from 0. */
export function numberOf(field: Field, source: Source, wanted: string, next: string): number {
  const value: unknown = JSON.parse(field.json);
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw wrongType(field, source, wanted, next);
}

/** One of a few words. */
export function wordOf<Word extends string>(
  field: Field,
  source: Source,
  words: readonly Word[],
  next: string,
): Word {
  const value: unknown = JSON.parse(field.json);
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  throw wrongType(field, source, words.join(' or '), next);
}

/** A mapping of text. */
export function textsOf(field: Field, source: Source): Record<string, string> {
  const value: unknown = JSON.parse(field.json);
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isMapping && Object.values(value).every((one) => typeof one === 'string'))
    return value as Record<string, string>;
  throw wrongType(
    field,
    source,
    'a mapping of text',
    'Write one name and its text on each line, in quotes if need be.',
  );
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function bytesOf(field: Field, source: Source): Uint8Array {
  const text = textOf(field, source);
  if (text.length % 4 === 0 && BASE64.test(text)) return new Uint8Array(Buffer.from(text, 'base64'));
  throw wrongType(field, source, 'bytes in base64', 'What is text goes under the key without "Bytes".');
}

export function wrongType(field: Field, source: Source, wanted: string, next: string): Error {
  const shown = field.json.length > SHOWN_MAX ? `${field.json.slice(0, SHOWN_MAX)}…` : field.json;
  return badEvent({ source, at: field.at }, `"${field.key}" is ${shown}, not ${wanted}`, next);
}

const SHOWN_MAX = 40;
