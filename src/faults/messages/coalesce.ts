import type { Frame, WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, milliseconds, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { canJoin, joinByteFrames } from '../support/join-into-one-write.ts';

type Takes = { count: WithFallback<number>; wait: WithFallback<number> };

const params: Takes = {
  count: withDefault(count('number of messages', 2), 2),
  wait: withDefault(milliseconds('how long it waits for the next messages; then those that it has are sent'), 100),
};

const ALONE = 'no other message came to be sent with it';

/** Joins frames into one write. Some real clients lose a notification that arrives together with the next response. */
export const coalesce: DefinedFault<Takes> = defineFault({
  name: 'coalesce',
  doc: 'Several messages are sent in one write.',
  transports: ['stdio', 'http'],
  params,
  awaits: ALONE,
  unfit: ({ when, transport }) =>
    when.from === 'client' && transport === 'http' ? 'each message of a client is a request of its own' : undefined,
  start({ count, wait }, tools) {
    let held: WireFrame[] = [];
    /** Held frames that the rule matches. */
    let matched: Frame[] = [];
    let stopWaiting = () => {};
    const release = () => {
      const [frames, matches, stop] = [held, matched, stopWaiting];
      held = [];
      matched = [];
      const isJoined = canJoin(frames, tools.measure);
      for (const one of matches) {
        if (isJoined) tools.happened(one);
        else tools.cameToNothing(one, ALONE);
      }
      for (const one of isJoined ? joinByteFrames(frames, tools) : frames) tools.next(one);
      // Last, since the exit of the server may have waited for these frames.
      stop();
    };
    const add = (frame: WireFrame) => {
      held.push(frame);
      if (held.length >= count || frame.kind === 'close' || frame.kind === 'exit') release();
      else if (held.length === 1) stopWaiting = tools.later(wait, release);
    };
    return {
      get isIdle() {
        return held.length === 0;
      },
      hit(frame) {
        matched.push(frame);
        add(frame);
      },
      pass: (frame) => (held.length > 0 ? add(frame) : tools.next(frame)),
    };
  },
});
