import type { Channel } from './channel.ts';
import type { WireFrame } from './frame.ts';

/** Observer of every frame. It must not throw. */
export type Tap = (frame: WireFrame) => void;

/** Order of tap and forwarding for each frame. */
export type TapOrder = 'tap-first' | 'forward-first';

/**
 * Forwards frames between two channels, in both directions. By default, the tap is called after forwarding. A side that
 * does not read blocks the other side. The two directions and standard error block independently of each other.
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
