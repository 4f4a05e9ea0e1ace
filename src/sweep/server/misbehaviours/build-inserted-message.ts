import type { Frame, MessageFrame } from '../../../channel/frame.ts';
import type { Milliseconds } from '../../../kernel/clock.ts';
import { JsonText } from '../../../protocol/json-text.ts';
import { isObject } from '../../../protocol/message.ts';
import { META, metaOf } from '../../../protocol/meta.ts';
import type { ClientMessage } from '../misbehaviour.ts';

interface Insertion {
  at: Milliseconds;
  method: string;
  /** JSON text of the request's id. Absent: a notification. */
  id?: string;
  /** Members of the params as JSON text. */
  params?: readonly string[];
}

/** Keys of `_meta` that describe a client since 2026-07-28. */
const SELF_DESCRIPTION = [META.protocolVersion, META.clientInfo, META.clientCapabilities];

/**
 * Returns a message that the client sends in addition to `frame`. Since 2026-07-28 it repeats revision, client and
 * capabilities of `frame` in `_meta`: servers take a message without a revision for one of an older client ("Protocol
 * Version Negotiation").
 */
export function insertedMessage(frame: Frame, { at, method, id, params = [] }: Insertion): MessageFrame {
  const meta = selfDescriptionOf(frame);
  const members = meta === undefined ? params : [...params, `"_meta":${JSON.stringify(meta)}`];
  const idText = id === undefined ? '' : `,"id":${id}`;
  const paramsText = members.length === 0 ? '' : `,"params":{${members.join(',')}}`;
  const text = `{"jsonrpc":"2.0"${idText},"method":${JSON.stringify(method)}${paramsText}}`;
  return { kind: 'message', at, from: 'client', json: new JsonText(text) };
}

function selfDescriptionOf(frame: Frame): Record<string, unknown> | undefined {
  const message = frame.kind === 'message' ? frame.json.value : undefined;
  if (!isObject(message)) return undefined;
  const meta = metaOf(message.params);
  if (!(META.protocolVersion in meta)) return undefined;
  return Object.fromEntries(SELF_DESCRIPTION.filter((key) => key in meta).map((key) => [key, meta[key]]));
}

/**
 * Reports whether a request carries its protocol version (since 2026-07-28). Over HTTP, the client cancels such a
 * request by closing its stream. Before 2026-07-28, the cancel notification needs a separate HTTP request.
 */
export function isSelfDescribing({ entry }: ClientMessage): boolean {
  return entry.json.text.includes('io.modelcontextprotocol/protocolVersion');
}
