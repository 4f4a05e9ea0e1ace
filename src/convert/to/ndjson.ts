import type { Cassette } from '../../cassette/cassette.ts';
import type { Frame } from '../../channel/frame.ts';

/** Writes a session as NDJSON: one line per event with `at`, `from` and the message as spelt, or the other frame. */
export function ndjson({ events }: Cassette): string {
  return events.map(({ frame }) => `${lineOf(frame)}\n`).join('');
}

function lineOf(frame: Frame): string {
  if (frame.kind !== 'message' && frame.kind !== 'authorization') return JSON.stringify(frame, asText);
  const { kind, json, ...rest } = frame;
  return `${JSON.stringify(rest).slice(0, -1)},"${kind}":${json.text.replaceAll(/[\r\n]+/g, ' ')}}`;
}

/** Encodes bytes for JSON. `Buffer.toJSON` has already replaced `value`, so the original is read from its holder. */
function asText(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key];
  if (!(original instanceof Uint8Array)) return value;
  return {
    base64: Buffer.from(original.buffer, original.byteOffset, original.byteLength).toString('base64'),
  };
}
