import { type Frame, otherSide, type WireFrame } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import type { FaultContext } from '../fault.ts';

/** Answers in place of the other side, which does not see the frame. Over HTTP this is the whole response. */
export function replyToSender({ back, clock, ground, from }: FaultContext, frame: WireFrame): void {
  back(frame);
  if (ground !== 'http') return;
  const { stream } = frame;
  back({ kind: 'close', at: clock.now(), from: otherSide(from), ...(stream !== undefined && { stream }) });
}

/** Loses a frame. Over HTTP a message that wants no answer is taken all the same: the network has delivered it. */
export function swallow(frame: Frame, tools: FaultContext): void {
  const { clock, ground, from } = tools;
  if (ground !== 'http' || from !== 'client' || frame.kind !== 'message') return;
  if (elementsOf(frame.json).some(({ value }) => isRequest(value))) return;
  replyToSender(tools, { kind: 'http-response', at: clock.now(), from: 'server', status: 202 });
}
