import { type Frame, otherSide, type WireFrame } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import type { Tools } from '../fault.ts';

/** Answers in the place of the other side, which hears nothing of it. Over HTTP that is the whole answer. */
export function answer({ back, clock, ground, from }: Tools, frame: WireFrame): void {
  back(frame);
  if (ground !== 'http') return;
  const { stream } = frame;
  back({ kind: 'close', at: clock.now(), from: otherSide(from), ...(stream !== undefined && { stream }) });
}

/** Loses a frame. Over HTTP a message that wants no answer is taken all the same: the network has delivered it. */
export function swallow(frame: Frame, tools: Tools): void {
  const { clock, ground, from } = tools;
  if (ground !== 'http' || from !== 'client' || frame.kind !== 'message') return;
  if (elementsOf(frame.json).some(({ value }) => isRequest(value))) return;
  answer(tools, { kind: 'reply', at: clock.now(), from: 'server', status: 202 });
}
