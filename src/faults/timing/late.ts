import type { Frame, WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { milliseconds, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { isOfNotifications } from '../rules/when.ts';
import { cancelledBy, idOf } from '../support/edit-message.ts';

type Takes = { delay: WithFallback<number> };

const params: Takes = { delay: withDefault(milliseconds('time from the cancellation to the response'), 0) };

/** Sends a response after its request was cancelled. */
export const late: DefinedFault<Takes> = defineFault({
  name: 'late',
  doc: 'The response is held until the other side has cancelled its request, and is sent after that.',
  transports: ['stdio', 'http', 'memory'],
  params,
  when: { kind: 'response' },
  span: 'session',
  isOfMessages: true,
  unfit: ({ when }) => (isOfNotifications(when) ? 'nobody cancels a notification' : undefined),
  start({ delay }, { next, later }) {
    /** Held responses by id, each with the end of its stream. */
    const held = new Map<string, [Frame, ...WireFrame[]]>();
    const cancelled = new Set<string>();
    const release = (id: string) => {
      const frames = held.get(id);
      if (frames === undefined || !cancelled.has(id)) return;
      later(delay, () => {
        held.delete(id);
        for (const frame of frames) next(frame);
      });
    };
    return {
      unchanged: (frame) => (idOf(frame) === undefined ? 'the message had no id of its own' : undefined),
      hit(frame) {
        const id = idOf(frame)!;
        held.set(id, [frame]);
        release(id);
      },
      pass(frame) {
        const { stream } = frame;
        const before = stream === undefined ? undefined : [...held.values()].find(([one]) => one.stream === stream);
        if (before) before.push(frame);
        else next(frame);
      },
      other(frame) {
        const id = cancelledBy(frame);
        if (id === undefined) return;
        cancelled.add(id);
        release(id);
      },
    };
  },
});
