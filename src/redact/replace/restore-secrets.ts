import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';

const PLACEHOLDER = /\[redacted:([\w.-]+):\d+\]/g;

/** Secrets by placeholder name; an environment variable's name is that of its placeholder. */
export type SecretSource = Readonly<Record<string, string | undefined>>;

/** The names of the placeholders of frames, each once. */
export function placeholderNames(frames: readonly Frame[]): string[] {
  const names = new Set<string>();
  for (const frame of frames) {
    if (frame.kind !== 'message') continue;
    for (const [, name = ''] of frame.json.text.matchAll(PLACEHOLDER)) names.add(name);
  }
  return [...names];
}

/** Returns the frame with secrets of `source` in place of their placeholders. Unknown placeholders stay. */
export function restored(frame: Frame, source: SecretSource): Frame {
  if (frame.kind !== 'message') return frame;
  const text = frame.json.text.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    const secret = source[name];
    return secret === undefined ? placeholder : JSON.stringify(secret).slice(1, -1);
  });
  return text === frame.json.text ? frame : { ...frame, json: new JsonText(text) };
}
