import { type DefinedFault, defineFault } from '../fault.ts';
import { duration, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';

type Takes = { for: WithFallback<number> };

const params: Takes = { for: withDefault(duration('time without connections'), Number.POSITIVE_INFINITY) };

const NO_TIME = 'at the start nobody is connected, and 0 ms are over at once';

/** Makes the server unavailable. */
export const down: DefinedFault<Takes> = defineFault({
  name: 'down',
  doc: 'There is no server: connections are refused, and open ones end. A process exits with 1 before its first message.',
  transports: ['stdio', 'http'],
  params,
  when: { kind: 'start' },
  times: 1,
  span: 'session',
  unfit: ({ values, when, transport }) =>
    values.for === 0 && when.kind === 'start' && transport === 'http' ? NO_TIME : undefined,
  start({ for: time }, { transport, down, next, clock }) {
    let over = false;
    const go = () => {
      if (transport === 'http') return down(time);
      over = true;
      next({ kind: 'close', at: clock.now(), from: 'server' });
      next({ kind: 'exit', at: clock.now(), from: 'server', status: 1 });
    };
    return {
      get isOver() {
        return over;
      },
      begin: go,
      hit: go,
      pass: (frame) => (over ? undefined : next(frame)),
    };
  },
});
