import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import { base64Of } from '../../kernel/platform/bytes.ts';
import type { Content } from './report-data-types.ts';

/** Maximum length of a content in characters. A page shows the beginning of a longer one. */
const LENGTH_MAX = 256 * 1024;

/** Returns the content of an entry, for reading and copying. Undefined: the entry has no body or data. */
export function contentOf({ frame, json }: SessionEntry): Content | undefined {
  if (json !== undefined) return content(json.text, 'json');
  if (frame.kind === 'line') return typeof frame.data === 'string' ? content(frame.data, 'text') : bytes(frame.data);
  if (frame.kind === 'comment') return content(frame.text, 'text');
  if (frame.kind === 'authorization') return content(frame.json.text, 'json');
  if (frame.kind === 'sse') return content(frame.sse.data ?? '', 'text');
  if (frame.kind !== 'http-response' && frame.kind !== 'open') return undefined;
  if (frame.body === undefined) return undefined;
  return typeof frame.body === 'string' ? content(frame.body, 'text') : bytes(frame.body);
}

/** Returns the recorded HTTP fields of an entry, as JSON. Undefined: the entry has none. */
export function carriedOf({ frame }: SessionEntry): string | undefined {
  if (frame.stream === undefined) return undefined;
  const fields = Object.entries(frame).filter(([key, value]) => CARRIED.has(key) && value !== undefined);
  const told = fields.map(([key, value]) => [key, key === 'sse' ? lessData(frame) : value]);
  return told.length === 0 ? undefined : JSON.stringify(Object.fromEntries(told));
}

const CARRIED: ReadonlySet<string> = new Set([
  'method',
  'path',
  'resumes',
  'status',
  'session',
  'sse',
  'headers',
  'how',
]);

function lessData(frame: Frame): object {
  const { data: _, ...fields } = 'sse' in frame && frame.sse ? { data: undefined, ...frame.sse } : {};
  return fields;
}

function content(text: string, language: Content['language']): Content | undefined {
  if (text === '') return undefined;
  if (text.length <= LENGTH_MAX) return { text, language };
  return { text: text.slice(0, LENGTH_MAX), language: 'text', cutFrom: text.length };
}

function bytes(data: Uint8Array): Content | undefined {
  return content(base64Of(data), 'text');
}
