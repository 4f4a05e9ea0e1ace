import type { WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { duration, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';

type Takes = { for: WithFallback<number> };

const params: Takes = { for: withDefault(duration('delay of the response', 1), Number.POSITIVE_INFINITY) };

/** Ignores `server/discover`, like a server without support for it. */
export const discoverTimeout: DefinedFault<Takes> = defineFault({
  name: 'discover-timeout',
  doc: 'The response to server/discover is missing or late.',
  transports: ['stdio', 'http', 'memory'],
  params,
  when: { kind: 'response', method: 'server/discover' },
  start({ for: time }, { next, later }) {
    let held: WireFrame[] | undefined;
    return {
      hit(frame) {
        const frames = [frame as WireFrame];
        held = frames;
        if (!Number.isFinite(time)) return;
        later(time, () => {
          held = undefined;
          for (const one of frames) next(one);
        });
      },
      // Over HTTP, the end of the response is held together with the response.
      pass: (frame) => (held && frame.stream !== undefined ? void held.push(frame) : next(frame)),
    };
  },
});
