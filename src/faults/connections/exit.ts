import { type DefinedFault, defineFault } from '../fault.ts';
import { type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { streamEndingFault } from '../support/stream-ending-fault.ts';

type Takes = { status: WithFallback<number | string> };

const params: Takes = {
  status: withDefault(
    {
      doc: 'exit code, or signal that ends the process',
      wanted: 'a code from 0 to 255 or a signal such as SIGSEGV',
      read: (value: unknown): number | string | undefined =>
        (typeof value === 'string' && /^SIG[A-Z0-9]+$/.test(value)) ||
        (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255)
          ? value
          : undefined,
    },
    1,
  ),
};

/** Ends the server process with an exit code or a signal. */
export const exit: DefinedFault<Takes> = defineFault({
  name: 'exit',
  doc: 'The server process exits with a code or by a signal, and open calls are lost. Over HTTP, nobody can connect any more.',
  transports: ['stdio', 'http'],
  params,
  span: 'session',
  start({ status }, { next, clock }) {
    return streamEndingFault({
      next,
      strike() {
        next({ kind: 'close', at: clock.now(), from: 'server' });
        next({ kind: 'exit', at: clock.now(), from: 'server', status });
      },
    });
  },
});
