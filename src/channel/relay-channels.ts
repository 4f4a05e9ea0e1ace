import type { Channel } from './channel.ts';
import type { WireFrame } from './frame.ts';

/** Sees every frame that passed, after it was forwarded. Must not throw. */
export type Tap = (frame: WireFrame) => void;

/**
 * Joins two channels: what one says, the other hears, as it arrived and before the tap sees it. A side that does not
 * read makes the other side block; the two directions, and standard error, never wait for each other.
 */
export function relayChannels(near: Channel, far: Channel, tap: Tap): void {
  forward(near, far, tap);
  forward(far, near, tap);
}

function forward(source: Channel, sink: Channel, tap: Tap): void {
  source.listen((frame) => {
    if (!sink.send(frame) && frame.kind === 'bytes') {
      const { on } = frame;
      source.pause(on);
      sink.drained(on, () => source.resume(on));
    }
    tap(frame);
  });
}
