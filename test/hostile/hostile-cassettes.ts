import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Data, Event } from './event-changes.ts';
import { CHANGES } from './hostile-events.ts';
import { TEXT_CHANGES } from './hostile-texts.ts';

/** A cassette of a stranger. */
export interface HostileCassette {
  name: string;
  /** Number among all of them. */
  index: number;
  bytes: Uint8Array;
}

const root = join(import.meta.dirname, '..', '..');
/** Events of a base. A recorded session is long, and each of them goes through every command. */
const EVENTS_MAX = 24;

/** Recorded sessions: stdio and HTTP, revisions 2025-11-25 and 2026-07-28. */
export const BASES: Readonly<Record<string, Data>> = {
  'stdio 2025-11-25': base('cassettes/mcporter.yaml'),
  'HTTP 2025-11-25': base('test/browser/sessions/streams.yaml'),
  'stdio 2026-07-28': base('cassettes/client-2-pinned.yaml'),
  'HTTP 2026-07-28': overHttp(base('cassettes/client-2-pinned.yaml')),
};

function base(file: string): Data {
  const { events, ...header } = parse(readFileSync(join(root, file), 'utf8')) as Data['header'] & { events: Event[] };
  const isRecorded = header.recorder !== undefined;
  return { header, events: [...events.slice(0, EVENTS_MAX), ...(isRecorded ? [{ end: 'complete' }] : [])] };
}

/** The session with an HTTP request for each message of the client. */
function overHttp({ header, events }: Data): Data {
  let stream = 0;
  const streams = new Map<unknown, number>();
  const over = events.flatMap((event): Event[] => {
    const { client, server } = event as Record<string, { id?: unknown } | undefined>;
    if (client) {
      streams.set(client.id, ++stream);
      return [{ ...event, stream }];
    }
    if (server) return [{ ...event, stream: streams.get(server.id) ?? stream }];
    return 'end' in event ? [event] : [];
  });
  return { header: { ...header, transport: 'http', url: 'http://127.0.0.1/mcp' }, events: over };
}

/** Writes a cassette as a hand would: each event is JSON, which is YAML. */
export function textOf({ header, events }: Data): string {
  const fields = Object.entries(header).map(([key, value]) => `${key}: ${yamlOf(value)}\n`);
  return `${fields.join('')}events:\n${events.map((event) => `- ${yamlOf(event)}\n`).join('')}`;
}

/** YAML forbids some characters that JSON allows. */
function yamlOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Returns the cassettes of strangers, each a change to one of the bases, in turn. `canary` is the path of a file that
 * none of them may reach.
 */
export function hostileCassettes(canary: string): HostileCassette[] {
  const bases = Object.entries(BASES);
  const [, first] = bases[0]!;
  const changed = CHANGES.map(([name, change], index): [string, string | Uint8Array] => {
    const [of, data] = bases[index % bases.length]!;
    return [`${name}, ${of}`, textOf(change(structuredClone(data)))];
  });
  const other = TEXT_CHANGES.map(([name, change]): [string, string | Uint8Array] => [name, change(textOf(first))]);
  return [...changed, ...other].map(([name, text], index) => ({
    name,
    index,
    bytes: typeof text === 'string' ? Buffer.from(text.replaceAll('CANARY_FILE', canary)) : text,
  }));
}
