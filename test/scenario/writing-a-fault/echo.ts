import { type DefinedFault, defineFault } from '../../../src/faults/fault.ts';
import { count, type WithFallback, withDefault } from '../../../src/faults/rules/fault-param-types.ts';

type Takes = { count: WithFallback<number> };

/** A server whose terminal echoes. */
export const echo: DefinedFault<Takes> = defineFault({
  name: 'echo',
  doc: 'The message comes back to its sender, as if the other side had said it.',
  transports: ['stdio', 'memory'],
  params: { count: withDefault(count('how often it comes back'), 1) },
  when: { from: 'client', kind: 'request' },
  start({ count }, { back, next }) {
    return {
      hit(frame) {
        next(frame);
        if (frame.kind !== 'message') return;
        for (let n = 0; n < count; n++) back({ ...frame, from: 'server' });
      },
    };
  },
});
