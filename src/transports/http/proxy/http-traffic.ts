import type { Side } from '../../../channel/frame.ts';
import type { Milliseconds } from '../../../kernel/clock.ts';

/** Header fields as they stood on the wire: names and values in turn, in order, each name in its own case. */
export type RawHeaders = readonly string[];

/** A piece of one HTTP exchange, as it passed. Bodies are without their framing, cut wherever the network cut them. */
export type HttpTrafficEvent = { at: Milliseconds } & (
  | { kind: 'request'; method: string; path: string; headers: RawHeaders }
  | { kind: 'response'; status: number; headers: RawHeaders }
  | { kind: 'data'; from: Side; data: Uint8Array }
  /** The side's body is complete. */
  | { kind: 'end'; from: Side }
  /** The side's connection ended before its part of the exchange did: closed, or reset. The last piece. */
  | { kind: 'gone'; from: Side; how: CloseKind }
);

/** How a connection was lost: closed in order (FIN), or reset (RST). */
export type CloseKind = 'fin' | 'rst';

/** The events of one kind. */
export type TrafficEvent<Kind extends HttpTrafficEvent['kind']> = Extract<HttpTrafficEvent, { kind: Kind }>;
