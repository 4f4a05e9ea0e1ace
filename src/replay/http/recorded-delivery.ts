import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { CloseFrame, MessageFrame } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/** The way a server message was delivered in an exchange that the client opened by requests. */
export interface RecordedDelivery {
  /**
   * The message was the whole response body of an exchange with this number of requests. It may answer fewer of them.
   */
  bodyFor?: number;
  /** Whether the stream continues with further messages after the answer to its only request. */
  isFollowed?: true;
}

/** A message with its recorded delivery. */
export type DeliveredFrame = MessageFrame & { delivery?: RecordedDelivery };

/** The close of a stream that continues after its answer. Recorders omit the regular end of a response. */
export type LastFrame = CloseFrame & { isLast: true };

/** Deliveries on exchanges that clients opened by requests. */
export interface Deliveries {
  of: ReadonlyMap<CassetteEvent, RecordedDelivery>;
  /** Response bodies with unrelated ids, which answer no request of their exchange. */
  bare: ReadonlySet<CassetteEvent>;
  /** Last event of each stream with further messages after its answer. */
  last: ReadonlySet<CassetteEvent>;
}

/** Returns the delivery of each message. Resumed streams have to be merged before. */
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
  /** Number of requests in the exchange. */
  requests = 0;
  /** Number of requests answered in the exchange. */
  answers = 0;
  /** The server sent a message after the answers. */
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
