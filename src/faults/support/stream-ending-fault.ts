import type { Frame, WireFrame } from '../../channel/frame.ts';
import type { FaultContext, FaultInstance, Use } from '../fault.ts';

export interface StreamEnd {
  next: FaultContext['next'];
  /** Ends the stream at a frame. */
  strike(frame: Frame): void;
  /** Reports whether a frame passes after the end, e.g. the exit of a process after the end of its output. Absent: none does. */
  outlives?(frame: WireFrame): boolean;
  /** Sees a frame that passes before the end. */
  passing?(frame: WireFrame): void;
  /** As {@link FaultInstance.unchanged}. */
  unchanged?(frame: Frame): string | undefined;
}

/** Returns the instance of a fault that ends its stream. It strikes once. */
export function streamEndingFault({
  next,
  strike,
  outlives = () => false,
  passing,
  unchanged,
}: StreamEnd): FaultInstance {
  let over = false;
  return {
    get isOver() {
      return over;
    },
    get isIdle() {
      return !over;
    },
    ...(unchanged && { unchanged }),
    hit(frame) {
      over = true;
      strike(frame);
    },
    pass(frame) {
      if (over && !outlives(frame)) return;
      if (!over) passing?.(frame);
      next(frame);
    },
  };
}

/** Returns why a fault after `bytes` bytes of a message would change nothing. Undefined: the message is longer, or 0 bytes are to arrive. */
export function whyWhole(bytes: number, length: number): string | undefined {
  return bytes > 0 && bytes >= length ? `the message has ${length} bytes, no more than "bytes: ${bytes}"` : undefined;
}

/** Returns why the end of a server's output cannot be withheld. Undefined: it can. */
export function whyEndsAnyway({ when, transport }: Pick<Use, 'when' | 'transport'>): string | undefined {
  const isOfServer = when.kind === 'end' && when.from !== 'client' && transport === 'stdio';
  return isOfServer ? 'the exit of the process ends its output anyway' : undefined;
}

/** Returns why a fault that ends a stream has no meaning at its end. Undefined: it happens to something else. */
export function whyAtEnd({ when }: Pick<Use, 'when'>): string | undefined {
  return when.kind === 'end' ? 'the stream ends there anyway' : undefined;
}
