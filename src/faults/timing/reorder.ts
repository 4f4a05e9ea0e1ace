import type { Frame, WireFrame } from '../../channel/frame.ts';
import type { Random } from '../../kernel/random.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, milliseconds, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';

type Takes = { window: WithFallback<number>; wait: WithFallback<number> };

const params: Takes = {
  window: withDefault(count('number of messages that change their order', 2), 2),
  wait: withDefault(milliseconds('how long it waits for the next messages; then those that it has are sent'), 100),
};

/** Frame with the end of its stream. */
type Held = [WireFrame, ...WireFrame[]];

const ALONE = 'no other message came to change places with, or only equal ones';

/** Changes the order of frames. The end of a stream keeps its position. */
export const reorder: DefinedFault<Takes> = defineFault({
  name: 'reorder',
  doc: 'Messages change their order: two are swapped, more are shuffled by the seed.',
  transports: ['stdio', 'http', 'memory'],
  params,
  span: 'session',
  awaits: ALONE,
  start({ window, wait }, { next, random, later, happened, cameToNothing }) {
    let held: Held[] = [];
    /** Held frames that the rule matches. */
    let matched: Frame[] = [];
    let stopWaiting = () => {};
    const send = (order: readonly Held[]) => {
      const [before, matches, stop] = [held, matched, stopWaiting];
      held = [];
      matched = [];
      for (const one of matches) {
        if (isSameOrder(order, before)) cameToNothing(one, ALONE);
        else happened(one);
      }
      for (const frame of order.flat()) next(frame);
      // Last, since the exit of the server may have waited for these frames.
      stop();
    };
    const release = () => send(window === 2 ? held.toReversed() : shuffled(held, random));
    const add = (frame: WireFrame) => {
      held.push([frame]);
      if (held.length === window) release();
      else if (held.length === 1) stopWaiting = later(wait, release);
    };
    return {
      hit(frame) {
        matched.push(frame);
        add(frame);
      },
      pass(frame) {
        if (held.length === 0) return next(frame);
        if (frame.kind === 'http-response') return next(frame);
        if (frame.kind !== 'close' && frame.kind !== 'exit') return add(frame);
        if (frame.stream !== undefined) {
          const before = held.findLast(([one]) => one.stream === frame.stream);
          return before ? void before.push(frame) : next(frame);
        }
        send(held);
        next(frame);
      },
    };
  },
});

/** Shuffles frames into another order. Frames that are all equal have none. */
function shuffled(frames: readonly Held[], random: Random): Held[] {
  const order = [...frames];
  const [first] = frames;
  if (first === undefined || frames.every((one) => isSame(one, first))) return order;
  while (isSameOrder(order, frames)) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [order[last], order[other]] = [order[other]!, order[last]!];
    }
  }
  return order;
}

function isSameOrder(one: readonly Held[], other: readonly Held[]): boolean {
  return one.every((held, at) => isSame(held, other[at]!));
}

/** Reports whether the other side cannot tell two frames from each other. */
function isSame([one]: Held, [other]: Held): boolean {
  if (one === other) return true;
  const areMessages = one.kind === 'message' && other.kind === 'message';
  return areMessages && one.stream === other.stream && one.json.text === other.json.text;
}
