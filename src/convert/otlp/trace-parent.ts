import { metaOf } from '../../protocol/meta.ts';

/** Position in a distributed trace that the sender of a request names in its `_meta`. */
export interface TraceParent {
  traceId: string;
  /** Span of the sender. */
  spanId: string;
  /** Flags of W3C Trace Context: 8 bits. */
  flags: number;
  /** `tracestate`, as the sender wrote it. */
  state?: string;
}

const TRACEPARENT =
  /^(?<version>[\da-f]{2})-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<more>-.*)?$/;

/** Longest `tracestate` that has to be passed on (W3C Trace Context, 3.3.1.5). */
const STATE_MAX = 512;

/**
 * Returns the `traceparent` in the `_meta` of params (MCP, SEP-414; W3C Trace Context, 3.2). Undefined: it is absent or
 * invalid, and receivers start a trace of their own.
 */
export function traceParentOf(params: unknown): TraceParent | undefined {
  const { traceparent, tracestate } = metaOf(params);
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.groups : undefined;
  if (found === undefined) return undefined;
  const { version, traceId = '', spanId = '', flags = '', more } = found;
  const isInvalid = version === 'ff' || (version === '00' && more !== undefined);
  if (isInvalid || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const state = typeof tracestate === 'string' && tracestate.length <= STATE_MAX ? { state: tracestate } : {};
  return { traceId, spanId, flags: Number.parseInt(flags, 16), ...state };
}
