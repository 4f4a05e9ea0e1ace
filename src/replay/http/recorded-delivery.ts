import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { CloseFrame, MessageFrame } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/** How a message of the server reached the client in the cassette, where its exchange was begun by requests. */
export interface RecordedDelivery {
  /** The message was the whole body of a response to this number of requests, and may answer fewer. */
  bodyFor?: number;
  /** The server said more on that stream after the answer to its one request, so that the answer does not end it. */
  isFollowed?: true;
}

/** A message as it was delivered. */
export type DeliveredFrame = MessageFrame & { delivery?: RecordedDelivery };

/** What ends a stream whose messages are followed. The recorder leaves out the ordinary end of a response. */
export type LastFrame = CloseFrame & { isLast: true };

/** What was delivered on the exchanges that clients began with requests, by its event. */
export interface Deliveries {
  of: ReadonlyMap<CassetteEvent, RecordedDelivery>;
  /** Response bodies that answer no request of their exchange, with ids of their own. */
  bare: ReadonlySet<CassetteEvent>;
  /** The last event of each stream whose messages are followed. */
  last: ReadonlySet<CassetteEvent>;
}

/** Reads how each message was delivered, of events whose streams are conversations. */
export function deliveriesOf(events: readonly CassetteEvent[]): Deliveries {
  const asked = new Map<number, Exchange>();
  for (const event of events) {
    const { frame } = event;
    const { stream } = frame;
    if (frame.kind !== 'message' || stream === undefined) continue;
    const exchange = asked.get(stream) ?? new Exchange();
    if (frame.from === 'client') exchange.ask(frame);
    else exchange.deliver(event, frame);
    if (exchange.requests > 0) asked.set(stream, exchange);
  }
  const of = new Map<CassetteEvent, RecordedDelivery>();
  const bare = new Set<CassetteEvent>();
  const last = new Set<CassetteEvent>();
  for (const { delivered, requests, isFollowed, answers } of asked.values()) {
    const [first] = delivered;
    if (first === undefined) continue;
    const isBody = delivered.length === 1 && (first.frame as MessageFrame).sse === undefined;
    if (isBody && answers === 0) bare.add(first);
    else if (isBody) of.set(first, { bodyFor: requests });
    else if (isFollowed && requests === 1) {
      for (const event of delivered) of.set(event, { isFollowed });
      last.add(delivered.at(-1)!);
    }
  }
  return { of, bare, last };
}

class Exchange {
  /** How many requests it brought. */
  requests = 0;
  /** How many of them were answered on it. */
  answers = 0;
  /** The server said something after that. */
  isFollowed: true | undefined;
  readonly delivered: CassetteEvent[] = [];
  readonly #open = new Set<string | undefined>();

  ask({ json }: MessageFrame): void {
    for (const one of elementsOf(json)) {
      if (!isRequest(one.value)) continue;
      this.requests++;
      this.#open.add(scalarKeyAt(one, ['id']));
    }
  }

  deliver(event: CassetteEvent, { json }: MessageFrame): void {
    this.delivered.push(event);
    for (const one of elementsOf(json)) {
      if (this.#open.size === 0) this.isFollowed = true;
      if (isResponse(one.value) && this.#open.delete(scalarKeyAt(one, ['id']))) this.answers++;
    }
  }
}
