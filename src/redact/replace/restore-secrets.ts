import type { Frame } from '../../channel/frame.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { base64Edits } from '../decode/base64.ts';
import { allPlaceholdersIn } from '../decode/find-encoded-placeholders.ts';
import { hexEdits } from '../decode/hex.ts';
import { isProtocolValue, isRedactableByRule } from '../rules/protocol-fields.ts';
import { type Placeholder, placeholderOf, placeholdersIn, variableNames } from './placeholder-format.ts';
import { applyEdits, type TextEdit } from './text-edit.ts';

/** Maximum number of nested encodings to decode. */
const DEPTH_MAX = 3;

/**
 * Secrets by placeholder name, or by the name's form for shell variables. `NAME_2` is the second secret with this name
 * only.
 */
export type SecretSource = Readonly<Record<string, string | undefined>>;

/**
 * Returns the names of secrets that `source` lacks, without duplicates: `password`, and `password_2` for the second
 * one. Cursors and other opaque tokens need no secret, because the player replaces them by live ones.
 * @param followed placeholders that need no secret either
 */
export function missingSecrets(
  frames: readonly Frame[],
  source: SecretSource,
  followed: ReadonlySet<string> = new Set(),
): string[] {
  const missing = placeholdersInFrames(frames).filter(
    (one) => !followed.has(placeholderOf(one.name, one.n)) && secretOf(source, one) === undefined,
  );
  return [...new Set(missing.map(variableOf))];
}

/** Returns the placeholders in messages, except opaque tokens. A placeholder may occur more than once. */
export function placeholdersInFrames(frames: readonly Frame[]): Pick<Placeholder, 'name' | 'n'>[] {
  return frames.flatMap((frame) => {
    if (frame.kind !== 'message' || allPlaceholdersIn(frame.json.text).length === 0) return [];
    return [frame.json.value].flat().flatMap((message) => textsIn(message, []).flatMap(allPlaceholdersIn));
  });
}

/** Returns the keys and strings of a value, except opaque tokens. */
function textsIn(value: unknown, path: JsonPath): string[] {
  if (typeof value === 'string') {
    return isRedactableByRule(String(path.at(-1))) && isProtocolValue(path) ? [] : [value];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item, [...path, key])]);
}

/** Returns the variable name of a placeholder's secret. The first secret of a name has no number. */
function variableOf({ name, n }: Pick<Placeholder, 'name' | 'n'>): string {
  return n === 1 ? name : `${name}_${n}`;
}

/** Returns the secret of a placeholder. Undefined if the source lacks the secret. */
function secretOf(source: SecretSource, { name, n }: Pick<Placeholder, 'name' | 'n'>): string | undefined {
  const names = variableNames(name).flatMap((variable) => (n === 1 ? [`${variable}_1`, variable] : `${variable}_${n}`));
  return names.map((variable) => source[variable]).find((secret) => secret !== undefined && !isEmptySecret(secret));
}

/** Reports whether a given value is no secret: a CI sets the variable of a secret that it does not have to nothing. */
export function isEmptySecret(value: string | undefined): boolean {
  return value !== undefined && value.trim() === '';
}

/**
 * Replaces the frame's placeholders by secrets of `source`, also in base64 and hexadecimal runs. Unknown placeholders
 * stay.
 */
export function restored(frame: Frame, source: SecretSource): Frame {
  if (frame.kind !== 'message') return frame;
  const text = applyEdits(frame.json.text, [
    ...plainEdits(frame.json.text, secretIn(source), (secret) => JSON.stringify(secret).slice(1, -1)),
    ...encodedEdits(frame.json.text, secretIn(source)),
  ]);
  return text === frame.json.text ? frame : { ...frame, json: new JsonText(text) };
}

type FindSecret = (placeholder: Pick<Placeholder, 'name' | 'n'>) => string | undefined;

function secretIn(source: SecretSource): FindSecret {
  return (placeholder) => secretOf(source, placeholder);
}

/** Returns edits that replace placeholders by secrets, in the form returned by `write`. */
function plainEdits(text: string, find: FindSecret, write = (secret: string): string => secret): TextEdit[] {
  return placeholdersIn(text).flatMap((placeholder) => {
    const secret = find(placeholder);
    return secret === undefined ? [] : [{ ...placeholder, text: write(secret) }];
  });
}

/** Returns edits of base64 and hexadecimal runs that contain placeholders. */
export function encodedEdits(text: string, find: FindSecret, depth: number = DEPTH_MAX): TextEdit[] {
  if (depth === 0) return [];
  const inText = (inner: string): TextEdit[] => [...plainEdits(inner, find), ...encodedEdits(inner, find, depth - 1)];
  const searches = { inText, inBytes: inText };
  return [...base64Edits(text, searches), ...hexEdits(text, searches)];
}
