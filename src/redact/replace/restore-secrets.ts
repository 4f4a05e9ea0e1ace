import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';

const PLACEHOLDER = /\[redacted:([\w.-]+):\d+\]/g;

/** Secrets by placeholder name. The name of an environment variable is that of its placeholder. */
export type SecretSource = Readonly<Record<string, string | undefined>>;

/** Returns the distinct placeholder names of frames. */
export function placeholderNames(frames: readonly Frame[]): string[] {
  const names = new Set<string>();
  for (const frame of frames) {
    if (frame.kind !== 'message') continue;
    for (const [, name = ''] of frame.json.text.matchAll(PLACEHOLDER)) names.add(name);
  }
  return [...names];
}

/** Replaces the frame's placeholders by secrets of `source`. Unknown placeholders stay. */
export function restored(frame: Frame, source: SecretSource): Frame {
  if (frame.kind !== 'message') return frame;
  const text = frame.json.text.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    const secret = source[name];
    return secret === undefined ? placeholder : JSON.stringify(secret).slice(1, -1);
  });
  return text === frame.json.text ? frame : { ...frame, json: new JsonText(text) };
}
