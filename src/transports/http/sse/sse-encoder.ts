import type { SseFields } from '../../../channel/frame.ts';

/** Encodes an event (HTML, "Server-sent events"). Data with several lines takes several fields. */
export function sseText(data: string | undefined, { id, event, retry }: SseFields = {}): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(data === undefined ? [] : data.split('\n').map((line) => `data: ${line}`)),
  ];
  return `${lines.join('\n')}\n\n`;
}

const END = '\n\n';

/** Encodes an event whose data may be invalid UTF-8. A `partial` event stops after its data. */
export function sseBytes(
  data: string | Uint8Array,
  { partial = false, ...fields }: SseFields & { partial?: boolean | undefined } = {},
): Uint8Array {
  const isText = typeof data === 'string';
  const text = sseText(isText ? data : '', fields).slice(0, -END.length);
  return Buffer.concat([Buffer.from(text), Buffer.from(isText ? '' : data), Buffer.from(partial ? '' : END)]);
}
