import type { Channel } from './channel.ts';
import type { Tap, TapOrder } from './relay-channels.ts';

/**
 * Adds a tap to a channel. By default, the tap is called after a frame of either direction has been forwarded. With
 * `tap-first` it is called before: needed if the receiver answers at once, inside `receive`.
 */
export function tappedChannel(channel: Channel, tap: Tap, order: TapOrder = 'forward-first'): Channel {
  return {
    listen: (receive) =>
      channel.listen((frame) => {
        if (order === 'tap-first') tap(frame);
        receive(frame);
        if (order === 'forward-first') tap(frame);
      }),
    send(frame) {
      if (order === 'tap-first') tap(frame);
      const taken = channel.send(frame);
      if (order === 'forward-first') tap(frame);
      return taken;
    },
    drained: (stream, resume) => channel.drained(stream, resume),
    pause: (stream) => channel.pause(stream),
    resume: (stream) => channel.resume(stream),
  };
}
