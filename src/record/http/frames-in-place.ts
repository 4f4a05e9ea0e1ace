import type { Frame, LineFrame } from '../../channel/frame.ts';
import type { TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';

/** Returns a message that was sent in place of the server as an optional line. Other frames are returned unchanged. */
export function optionalLine(frame: Frame): Frame {
  if (frame.kind !== 'message') return frame;
  const { json, kind: _, ...carried } = frame;
  return { ...carried, kind: 'line', on: 'protocol', data: json.text, optional: true };
}

/** Returns the line of standard error for a note. It belongs to the session, and to none of its streams. */
export function noteFrame({ at, text }: TrafficEvent<'note'>): LineFrame {
  return { kind: 'line', at, from: 'server', on: 'stderr', data: `mcp-record: ${text}` };
}
