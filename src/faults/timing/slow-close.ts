import { type DefinedFault, defineFault } from '../fault.ts';
import { duration, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';

type Takes = { for: WithFallback<number> };

const params: Takes = { for: withDefault(duration('how long they are held back', 1), Number.POSITIVE_INFINITY) };

/** Delays requests to exit. */
export const slowClose: DefinedFault<Takes> = defineFault({
  name: 'slow-close',
  doc: 'For a time, the server ignores the end of its input, and signals.',
  transports: ['stdio', 'http'],
  params,
  when: { from: 'client', kind: 'end' },
  unfit: ({ when }) =>
    when.kind === 'end' && when.from === 'client'
      ? undefined
      : 'it holds back the end of the input of the server, and signals',
  start({ for: time }, { next, later }) {
    return {
      hit(frame) {
        if (Number.isFinite(time)) later(time, () => next(frame));
      },
    };
  },
});
