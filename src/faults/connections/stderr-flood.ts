import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';

type Takes = { bytes: WithFallback<number> };

const params: Takes = { bytes: withDefault(count('number of bytes'), 1024 * 1024) };

const LINE = 'mcp-record floods standard error. '.repeat(30);

/** Fills the standard error pipe, which clients may not read. */
export const stderrFlood: DefinedFault<Takes> = defineFault({
  name: 'stderr-flood',
  doc: 'Standard error is filled before the message.',
  transports: ['stdio'],
  params,
  start({ bytes }, { next, clock }) {
    return {
      hit(frame) {
        for (let left = bytes; left > 0; left -= LINE.length + 1) {
          const data = LINE.slice(0, Math.max(0, left - 1));
          next({ kind: 'line', at: clock.now(), from: 'server', on: 'stderr', data });
        }
        next(frame);
      },
    };
  },
});
