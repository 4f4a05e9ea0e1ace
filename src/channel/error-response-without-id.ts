import { isId, isResponse } from '../protocol/message.ts';
import type { MessageFrame } from './frame.ts';

/**
 * Reports whether the frame is an error response without an id, sent as an HTTP response body: the refusal of an HTTP
 * request, such as a GET, and no message of the session.
 */
export function isBareRefusal({ json, sse }: Pick<MessageFrame, 'json' | 'sse'>): boolean {
  return sse === undefined && isResponse(json.value) && !isId(json.value.id);
}
