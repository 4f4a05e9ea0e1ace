import type { Channel } from './channel.ts';
import type { WireFrame } from './frame.ts';

/** Sees every frame that passes. Must not throw. */
export type Tap = (frame: WireFrame) => void;

/** When the tap sees a frame: before it is forwarded, or after. */
export type TapOrder = 'tap-first' | 'forward-first';

/**
 * Joins two channels: what one says, the other hears, as it arrived and, unless told otherwise, before the tap sees it. A
 * side that does not read makes the other side block; the two directions, and standard error, never wait for each other.
 */
export function relayChannels(near: Channel, far: Channel, tap: Tap, order: TapOrder = 'forward-first'): void {
  forward(near, far, tap, order);
  forward(far, near, tap, order);
}

function forward(source: Channel, sink: Channel, tap: Tap, order: TapOrder): void {
  source.listen((frame) => {
    if (order === 'tap-first') tap(frame);
    if (!sink.send(frame) && frame.kind === 'bytes') {
      const { on } = frame;
      source.pause(on);
      sink.drained(on, () => source.resume(on));
    }
    if (order === 'forward-first') tap(frame);
  });
}
