import type { Clock } from '../kernel/clock.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import type { Parent } from '../transports/stdio/parent-channel.ts';

/** Returns the channel to a parent process that takes lines, too. */
export function lineSendingParent(parent: Parent, clock: Clock): Parent {
  return {
    listen: (receive) => parent.listen(receive),
    send(frame) {
      if (frame.kind !== 'line') return parent.send(frame);
      const { from, on } = frame;
      return parent.send({ kind: 'bytes', at: clock.now(), from, on, data: encodeLine(frame)! });
    },
    drained: (stream, resume) => parent.drained(stream, resume),
    pause: (stream) => parent.pause(stream),
    resume: (stream) => parent.resume(stream),
    flushed: (done) => parent.flushed(done),
  };
}
