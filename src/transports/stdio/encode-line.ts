import type { Frame } from '../../channel/frame.ts';

/** Encodes a frame as a line, with a newline unless the frame is partial. Undefined: the frame has no line. */
export function encodeLine(frame: Frame): Uint8Array | undefined {
  if (frame.kind === 'message') return Buffer.from(`${onOneLine(frame.json.text)}\n`);
  if (frame.kind !== 'line') return undefined;
  const newline = frame.partial ? '' : '\n';
  if (typeof frame.data === 'string') return Buffer.from(frame.data + newline);
  return Buffer.concat([frame.data, Buffer.from(newline)]);
}

/** Returns JSON without line breaks, which a body over HTTP may have (Transports, "stdio"). In JSON they are between tokens. */
export function onOneLine(json: string): string {
  return json.includes('\n') ? json.replaceAll(/[\r\n]+/g, ' ') : json;
}
