import type { Frame, WireFrame } from '../../channel/frame.ts';
import type { FaultContext, FaultInstance } from '../fault.ts';

/**
 * Returns the instance of a fault that ends its stream. It strikes once. After that, only frames that `outlives`
 * accepts pass, e.g. the exit of a process after the end of its output.
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
