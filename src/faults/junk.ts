import { type DefinedFault, defineFault } from './fault.ts';
import { or, text, type WithFallback } from './param.ts';

type Takes = { text: WithFallback<string> };

const params: Takes = { text: or(text('the line'), 'Listening on standard output') };

/** A server that logs where it should speak. */
export const junk: DefinedFault<Takes> = defineFault({
  name: 'junk',
  doc: 'A line that is no message comes before the message.',
  grounds: ['stdio', 'http'],
  params,
  start({ text }, { next, clock, from }) {
    return {
      hit(frame) {
        next({ kind: 'noise', at: clock.now(), from, on: 'protocol', data: text });
        next(frame);
      },
    };
  },
});
