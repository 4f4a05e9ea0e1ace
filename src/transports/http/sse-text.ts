import type { SseFields } from '../../channel/frame.ts';

/** An event as it is written to a stream (HTML, "Server-sent events"). Data may be empty: such an event primes a stream. */
export function sseText(data: string, { id, event, retry }: SseFields = {}): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split('\n').map((line) => `data: ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}
