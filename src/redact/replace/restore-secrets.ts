import type { Frame } from '../../channel/frame.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { isProtocolValue, isRedactableByRule } from '../rules/protocol-fields.ts';

const PLACEHOLDER = /\[redacted:([\w.-]+):(\d+)\]/g;

/**
 * Secrets by placeholder name. The name of an environment variable is that of its placeholder. `NAME_2` is the second
 * secret of this name only.
 */
export type SecretSource = Readonly<Record<string, string | undefined>>;

/**
 * Returns the distinct names of placeholders of which `source` has no secret. Cursors and other values that one side repeats need no secret: the
 * player puts the live ones in their place.
 */
export function missingSecrets(frames: readonly Frame[], source: SecretSource): string[] {
  const names = new Set<string>();
  for (const frame of frames) {
    if (frame.kind !== 'message') continue;
    if (!frame.json.text.includes('[redacted:')) continue;
    for (const message of [frame.json.value].flat()) {
      for (const text of textsIn(message, []))
        for (const [, name = '', number = ''] of text.matchAll(PLACEHOLDER))
          if (secretOf(source, name, number) === undefined) names.add(name);
    }
  }
  return [...names];
}

/** Returns the keys and strings of a value, except those that a side repeats. */
function textsIn(value: unknown, path: JsonPath): string[] {
  if (typeof value === 'string') {
    return isRedactableByRule(String(path.at(-1))) && isProtocolValue(path) ? [] : [value];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item, [...path, key])]);
}

/** Returns the secret of a placeholder's name and number. Undefined: the source has none. */
function secretOf(source: SecretSource, name: string, number: string): string | undefined {
  return source[`${name}_${number}`] ?? source[name];
}

/** Replaces the frame's placeholders by secrets of `source`. Unknown placeholders stay. */
export function restored(frame: Frame, source: SecretSource): Frame {
  if (frame.kind !== 'message') return frame;
  const text = frame.json.text.replaceAll(PLACEHOLDER, (placeholder, name: string, number: string) => {
    const secret = secretOf(source, name, number);
    return secret === undefined ? placeholder : JSON.stringify(secret).slice(1, -1);
  });
  return text === frame.json.text ? frame : { ...frame, json: new JsonText(text) };
}
