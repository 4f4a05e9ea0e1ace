import { type Frame, otherSide, type Side } from '../../channel/frame.ts';
import { isObject } from '../../protocol/message.ts';
import type { CassetteEvent } from '../cassette.ts';
import { prependMembers } from '../correlate/add-json-rpc-version.ts';

/**
 * Adds the members that a hand-written cassette may omit: `jsonrpc` and ids. A message whose method does not begin with
 * `notifications/` is a request. A result or error without an id answers the other side's oldest unanswered request
 * with a generated id.
 */
export function completeWrittenMessages(events: readonly CassetteEvent[]): CassetteEvent[] {
  const waiting: Record<Side, number[]> = { client: [], server: [] };
  let minted = 0;
  const idFor = (from: Side, message: Record<string, unknown>): number | undefined => {
    if ('id' in message) return undefined;
    if (typeof message.method !== 'string') return waiting[otherSide(from)].shift();
    if (message.method.startsWith('notifications/')) return undefined;
    waiting[from].push(++minted);
    return minted;
  };
  return events.map((event): CassetteEvent => {
    const { frame } = event;
    if (frame.kind !== 'message' || !isObject(frame.json.value)) return event;
    const message = frame.json.value;
    const id = idFor(frame.from, message);
    const missing = {
      ...(message.jsonrpc === undefined && { jsonrpc: '2.0' }),
      ...(id !== undefined && { id }),
    };
    return { ...event, frame: completed(frame, missing) };
  });
}

/** Adds members at the front of a frame's message. */
function completed(frame: Frame & { kind: 'message' }, members: Record<string, unknown>): Frame {
  return Object.keys(members).length === 0 ? frame : { ...frame, json: prependMembers(frame.json, members) };
}
