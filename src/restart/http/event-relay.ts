import { messageIn } from '../../channel/line-to-message.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { SseDecoder, type SseEvent } from '../../transports/http/sse/sse-decoder.ts';
import { sseBytes, sseText } from '../../transports/http/sse/sse-encoder.ts';
import type { HeldExchange } from './held-exchange.ts';
import type { ForClient } from './http-session.ts';
import { brokenEventWords } from './outage-messages.ts';
import type { BodyEnd, ResponseBody } from './request-on-new-connection.ts';

export interface EventRelayOptions {
  exchange: HeldExchange;
  body: ResponseBody;
  /** Number of earlier servers in the session, before the server that sends the events. */
  generation: number;
  /** Returns what the client gets of a message or batch. */
  toClient(json: JsonText): ForClient[];
}

interface EncodedEvent {
  data: Uint8Array;
  isOptional: boolean;
}

/**
 * Passes the events of a stream to the client, and only complete events: an event that a killed server left unfinished
 * is dropped and noted. Resolves with the way in which the stream ended.
 */
export async function relayEvents({ exchange, body, generation, toClient }: EventRelayOptions): Promise<BodyEnd> {
  let events: EncodedEvent[] = [];
  const decoder = new SseDecoder({
    holdBytesMax: Number.POSITIVE_INFINITY,
    comment: (text) => events.push({ data: Buffer.from(`:${text}\n\n`), isOptional: false }),
    event(event) {
      if (event.partial) exchange.note(brokenEventWords(event));
      else events.push(...encoded(event, generation, toClient));
    },
  });
  for (;;) {
    const piece = await body.next();
    if (exchange.isOver) return 'fin';
    if (typeof piece === 'string') {
      decoder.end();
      return piece;
    }
    decoder.write(piece);
    for (const { data, isOptional } of events) await exchange.send(data, isOptional);
    events = [];
  }
}

/** Returns an event that this program sends in place of a server. */
export function eventInPlace(message: string): Uint8Array {
  return Buffer.from(sseText(message));
}

function encoded(
  { data, id, partial: _, isCut: __, ...others }: SseEvent,
  generation: number,
  toClient: EventRelayOptions['toClient'],
): EncodedEvent[] {
  const fields = { ...others, ...(id !== undefined && { id: eventIdOf(generation, id) }) };
  const json = typeof data === 'string' ? messageIn(data) : undefined;
  if (json === undefined) {
    const bytes = data === undefined ? Buffer.from(sseText(undefined, fields)) : sseBytes(data, fields);
    return [{ data: bytes, isOptional: false }];
  }
  return toClient(json).map(({ json: { text }, isOptional }, index) => ({
    data: index === 0 ? Buffer.from(sseText(text, fields)) : eventInPlace(text),
    isOptional,
  }));
}

/**
 * Matches the event ids of the second and later servers. A prefix keeps them apart from the ids of the first server,
 * which may count in the same way.
 */
const LATER = /^mcp-record-(\d+)\.(.*)$/s;

function eventIdOf(generation: number, id: string): string {
  return generation === 0 ? id : `mcp-record-${generation}.${id}`;
}

/** Returns the event id that the server of this generation assigned. Undefined: another server assigned the id. */
export function ownEventId(generation: number, id: string): string | undefined {
  const [, number = '0', own = id] = LATER.exec(id) ?? [];
  return Number(number) === generation ? own : undefined;
}
