import { type Frame, otherSide, type WireFrame } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import type { FaultContext } from '../fault.ts';

/**
 * Sends a frame back to the sender in place of the other side, which receives nothing. Over HTTP, the frame is the
 * complete response.
 */
export function replyToSender({ back, clock, transport, from }: FaultContext, frame: WireFrame): void {
  back(frame);
  if (transport !== 'http') return;
  const { stream } = frame;
  back({ kind: 'close', at: clock.now(), from: otherSide(from), ...(stream !== undefined && { stream }) });
}

/** Drops a frame. Over HTTP, a message without requests is accepted with 202, because the network has delivered it. */
export function swallow(frame: Frame, tools: FaultContext): void {
  const { clock, transport, from } = tools;
  if (transport !== 'http' || from !== 'client' || frame.kind !== 'message') return;
  if (elementsOf(frame.json).some(({ value }) => isRequest(value))) return;
  replyToSender(tools, { kind: 'http-response', at: clock.now(), from: 'server', status: 202 });
}
