import type { Side } from '../../../channel/frame.ts';
import type { Milliseconds } from '../../../kernel/clock.ts';

/** Header fields as on the wire: alternating names and values, in order, with the original case. */
export type RawHeaders = readonly string[];

/**
 * Event of one forwarded HTTP exchange. Body data has no framing, and arrives in pieces of any size. `optional`: the proxy
 * sent these complete messages in place of the server.
 */
export type HttpTrafficEvent = { at: Milliseconds } & (
  | { kind: 'request'; method: string; path: string; headers: RawHeaders }
  | { kind: 'response'; status: number; headers: RawHeaders }
  | { kind: 'data'; from: Side; data: Uint8Array; optional?: true }
  /** Note about the exchange's session, addressed to the proxy's owner. */
  | { kind: 'note'; text: string }
  /** The side's body is complete. */
  | { kind: 'end'; from: Side }
  /** The side's connection was closed or reset before its part of the exchange was complete. Last event. */
  | { kind: 'gone'; from: Side; how: CloseKind }
);

/** Kind of a lost connection: closed (FIN) or reset (RST). */
export type CloseKind = 'fin' | 'rst';

/** Events of one kind. */
export type TrafficEvent<Kind extends HttpTrafficEvent['kind']> = Extract<HttpTrafficEvent, { kind: Kind }>;
