import type { Channel } from './channel.ts';
import type { Tap } from './relay-channels.ts';

/** Adds a tap to a channel. The tap is called after each frame of either direction has been forwarded. */
export function tappedChannel(channel: Channel, tap: Tap): Channel {
  return {
    listen: (receive) =>
      channel.listen((frame) => {
        receive(frame);
        tap(frame);
      }),
    send(frame) {
      const taken = channel.send(frame);
      tap(frame);
      return taken;
    },
    drained: (stream, resume) => channel.drained(stream, resume),
    pause: (stream) => channel.pause(stream),
    resume: (stream) => channel.resume(stream),
  };
}
