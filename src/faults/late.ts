import type { Frame } from '../channel/frame.ts';
import { type DefinedFault, defineFault } from './fault.ts';
import { cancelledBy, idOf } from './message.ts';
import { milliseconds, or, type WithFallback } from './param.ts';

type Takes = { delay: WithFallback<number> };

const params: Takes = { delay: or(milliseconds('how long after the cancel'), 0) };

/** An answer that crosses its own cancellation. */
export const late: DefinedFault<Takes> = defineFault({
  name: 'late',
  doc: 'The answer is held until the other side has cancelled its request, and then sent all the same.',
  grounds: ['stdio', 'http', 'memory'],
  params,
  when: { kind: 'response' },
  start({ delay }, { next, later }) {
    const held = new Map<string, Frame>();
    const cancelled = new Set<string>();
    const release = (id: string) => {
      const frame = held.get(id);
      if (frame === undefined || !cancelled.has(id)) return;
      held.delete(id);
      later(delay, () => next(frame));
    };
    return {
      hit(frame) {
        const id = idOf(frame);
        if (id === undefined) return next(frame);
        held.set(id, frame);
        release(id);
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
