import type { Headers } from '../../channel/frame.ts';
import { bytesOfBase64 } from '../../kernel/platform/bytes.ts';
import { badEvent } from '../cassette-errors.ts';
import { HEADER_NAME, HEADER_VALUE, type NumberRange, type TextRange } from '../number-and-text-limits.ts';
import type { SourceText } from './source-text.ts';
import type { YamlField } from './yaml/yaml-field.ts';

/** Readers of a single field. All throw McpRecordError CASSETTE_BAD_EVENT for a wrong type. */

export function textOf(field: YamlField, source: SourceText): string {
  const value: unknown = JSON.parse(field.json);
  if (typeof value === 'string') return value;
  throw wrongType(field, source, 'text', 'Put it in quotes.');
}

/** Returns a text that matches `pattern`. */
export function textLike(field: YamlField, source: SourceText, { pattern, wanted, next }: TextRange): string {
  const value: unknown = JSON.parse(field.json);
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw wrongType(field, source, wanted, next);
}

/** Returns a number from `min` to `max`. */
export function numberOf(field: YamlField, source: SourceText, { min, max, whole, wanted, next }: NumberRange): number {
  const value: unknown = JSON.parse(field.json);
  const isNumber = typeof value === 'number' && (!whole || Number.isInteger(value));
  if (isNumber && value >= min && value <= max) return value;
  throw wrongType(field, source, wanted, next);
}

/** Returns one of the allowed words. */
export function wordOf<Word extends string>(
  field: YamlField,
  source: SourceText,
  words: readonly Word[],
  next: string,
): Word {
  const value: unknown = JSON.parse(field.json);
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  throw wrongType(field, source, words.join(' or '), next);
}

/** Returns a mapping of header fields by name. */
export function headersOf(field: YamlField, source: SourceText): Headers {
  const value: unknown = JSON.parse(field.json);
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { '': value };
  for (const [name, text] of Object.entries(fields)) {
    if (HEADER_NAME.test(name) && typeof text === 'string' && HEADER_VALUE.test(text)) continue;
    const next = 'Write one name and its text on each line, in quotes if need be. A text has no line break.';
    if (name === '' || typeof text !== 'string') throw wrongType(field, source, 'a mapping of text', next);
    throw badEvent({ source, at: field.at }, `HTTP cannot carry the header ${brief(name, text)}`, next);
  }
  return fields as Headers;
}

function brief(name: string, text: string): string {
  const json = JSON.stringify(`${name}: ${text}`);
  return json.length > SHOWN_MAX ? `${json.slice(0, SHOWN_MAX)}…` : json;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function bytesOf(field: YamlField, source: SourceText): Uint8Array {
  const text = textOf(field, source);
  if (text.length % 4 === 0 && BASE64.test(text)) return bytesOfBase64(text);
  throw wrongType(field, source, 'bytes in base64', 'What is text goes under the key without "Bytes".');
}

export function wrongType(field: YamlField, source: SourceText, wanted: string, next: string): Error {
  const shown = field.json.length > SHOWN_MAX ? `${field.json.slice(0, SHOWN_MAX)}…` : field.json;
  return badEvent({ source, at: field.at }, `"${field.key}" is ${shown}, not ${wanted}`, next);
}

const SHOWN_MAX = 40;
