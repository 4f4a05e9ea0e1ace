import type { Frame, WireFrame } from '../../channel/frame.ts';
import type { FaultContext, FaultInstance } from '../fault.ts';

/**
 * The segment of a fault that ends its stream: it strikes once, and after that nothing passes but what `outlives` the
 * stream, e.g. the exit of a process whose output had ended before.
 */
export function endStream(
  next: FaultContext['next'],
  strike: (frame: Frame) => void,
  outlives: (frame: WireFrame) => boolean = () => false,
): FaultInstance {
  let over = false;
  return {
    get isOver() {
      return over;
    },
    get isIdle() {
      return !over;
    },
    hit(frame) {
      over = true;
      strike(frame);
    },
    pass: (frame) => (over && !outlives(frame) ? undefined : next(frame)),
  };
}
