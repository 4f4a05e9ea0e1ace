import type { Cassette, CassetteEvent } from '../../src/cassette/cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import type { JsonText } from '../../src/protocol/json-text.ts';
import { META } from '../../src/protocol/meta.ts';
import {
  cassette as cassetteOf,
  client,
  clientCloses,
  exits,
  notification,
  request,
  server,
} from '../support/conversation.ts';

const answer = (id: number | string, result: object) => ({ jsonrpc: '2.0', id, result });
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const calls = (id: number, name: string, args: object = {}, meta?: object) =>
  request(id, 'tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
const tools = ['work', 'ask', 'slow', 'refuse'].map((name) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object' },
}));

/** A session in which each side says one thing of every kind, before 2026-07-28. */
export const LEGACY: Cassette = cassetteOf(
  client(
    request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true }, sampling: {} },
      clientInfo: { name: 'recorded', version: '1.0.0' },
    }),
  ),
  server(
    answer(0, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'recorded', version: '1.0.0' },
      instructions: 'Ask politely.',
    }),
  ),
  client(notification('initialized')),
  client(request(1, 'tools/list')),
  server(answer(1, { tools })),
  client(calls(2, 'work', { pieces: 2 }, { progressToken: 'a', trace: 'recorded' })),
  server(notification('progress', { progressToken: 'a', progress: 1, total: 2 })),
  server(notification('message', { level: 'info', data: 'half of it' })),
  server(notification('progress', { progressToken: 'a', progress: 2, total: 2 })),
  server(answer(2, text('worked'))),
  client(calls(3, 'ask')),
  server(
    request(0, 'sampling/createMessage', {
      messages: [{ role: 'user', content: { type: 'text', text: 'well?' } }],
      maxTokens: 10,
      _meta: { progressToken: 's' },
    }),
  ),
  client(notification('progress', { progressToken: 's', progress: 1 })),
  client(answer(0, { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' } })),
  server(answer(3, text('the client says yes'))),
  client(calls(4, 'slow')),
  client(notification('cancelled', { requestId: 4, reason: 'no longer needed' })),
  server({ jsonrpc: '2.0', id: 4, error: { code: -32800, message: 'cancelled' } }),
  client(notification('roots/list_changed')),
  client(calls(5, 'refuse')),
  server({ jsonrpc: '2.0', id: 5, error: { code: -32602, message: 'I refuse' } }),
  client(request(6, 'tools/list')),
  server(answer(6, { tools })),
  clientCloses,
  exits(0),
);

const _meta = {
  [META.protocolVersion]: '2026-07-28',
  [META.clientCapabilities]: { sampling: {} },
  [META.clientInfo]: { name: 'recorded', version: '1.0.0' },
};

/** A session of 2026-07-28, where each request says of itself what a handshake said before. */
export const MODERN: Cassette = cassetteOf(
  client(request(1, 'tools/call', { name: 'work', arguments: {}, _meta })),
  server(answer(1, { resultType: 'complete', ...text('worked') })),
  client(request(2, 'tools/call', { name: 'ask', arguments: {}, _meta })),
  server(answer(2, { resultType: 'complete', ...text('asked') })),
  clientCloses,
);

/** The cassette with its events as `edit` gives them. */
export function edited(cassette: Cassette, edit: (events: CassetteEvent[]) => CassetteEvent[]): Cassette {
  const events = edit([...cassette.events]).map((event, index) => ({ ...event, line: index + 1 }));
  return { ...cassette, events };
}

/** A message as plants look at it. */
export interface Said {
  jsonrpc?: string;
  id?: number | string;
  method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: plants reach into messages whose shape they have just written
  params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  error?: any;
}

/** Whether a frame is the message that is looked for, of the side that says it. */
export type Which = (said: Said, from: Frame['from']) => boolean;

export const asks =
  (method: string, name?: string): Which =>
  (said) =>
    said.method === method && (name === undefined || said.params?.name === name);
export const answers =
  (from: Frame['from'], id: number | string): Which =>
  (said, by) =>
    said.method === undefined && said.id === id && by === from;

function placeOf(events: readonly CassetteEvent[], which: Which): number {
  const place = events.findIndex(({ frame }) => frame.kind === 'message' && which(said(frame.json), frame.from));
  if (place < 0) throw new Error('The session has no such message.');
  return place;
}

function said({ value }: JsonText): Said {
  return value as Said;
}

/** The cassette without that message. */
export const without = (cassette: Cassette, which: Which): Cassette =>
  edited(cassette, (events) => events.toSpliced(placeOf(events, which), 1));

/** The cassette with other messages in its place. */
export const instead = (cassette: Cassette, which: Which, says: (said: Said) => unknown[]): Cassette =>
  edited(cassette, (events) => {
    const place = placeOf(events, which);
    const { frame } = events[place]!;
    if (frame.kind !== 'message') return events;
    const say = frame.from === 'client' ? client : server;
    const others = says(structuredClone(said(frame.json))).map((said) => ({ frame: say(said), line: 0 }));
    return events.toSpliced(place, 1, ...others);
  });

/** The cassette in which that message is followed by another. */
export const followed = (cassette: Cassette, which: Which, ...more: unknown[]): Cassette =>
  instead(cassette, which, (said) => [said, ...more]);

/** The cassette in which that message comes right after another of the same side. */
export const after = (cassette: Cassette, which: Which, other: Which): Cassette =>
  edited(cassette, (events) => {
    const [event] = events.splice(placeOf(events, which), 1);
    return events.toSpliced(placeOf(events, other) + 1, 0, event!);
  });

/** The cassette in which that message says something else. */
export const changed = (cassette: Cassette, which: Which, change: (said: Said) => void): Cassette =>
  instead(cassette, which, (said) => {
    change(said);
    return [said];
  });

/** The cassette with other frames in place of its last ones. */
export const ended = (cassette: Cassette, drop: number, ...frames: Frame[]): Cassette =>
  edited(cassette, (events) => [
    ...events.slice(0, events.length - drop),
    ...frames.map((frame) => ({ frame, line: 0 })),
  ]);
