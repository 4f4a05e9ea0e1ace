import type { Frame } from '../../channel/frame.ts';

/** The line that says `frame` on its stream, newline included unless the frame was cut short; undefined: it has none. */
export function encodeLine(frame: Frame): Uint8Array | undefined {
  if (frame.kind === 'message') return Buffer.from(`${frame.json.text}\n`);
  if (frame.kind !== 'line') return undefined;
  const newline = frame.partial ? '' : '\n';
  if (typeof frame.data === 'string') return Buffer.from(frame.data + newline);
  return Buffer.concat([frame.data, Buffer.from(newline)]);
}
