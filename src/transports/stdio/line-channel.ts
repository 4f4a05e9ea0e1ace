import type { Channel } from '../../channel/channel.ts';
import { type OutputStream, otherSide, type Side, type WireFrame } from '../../channel/frame.ts';
import { lineToMessage } from '../../channel/line-to-message.ts';
import type { Clock } from '../../kernel/clock.ts';
import { encodeLine } from './encode-line.ts';
import { LineDecoder } from './line-decoder.ts';

/** Converts a channel of bytes to `peer` into a channel of messages and lines (stdio framing, all revisions). */
export function lineChannel(bytes: Channel, peer: Side, clock: Clock): Channel {
  return {
    listen(receive) {
      const decoder = (on: OutputStream) =>
        new LineDecoder({ from: peer, on, line: (line) => receive(lineToMessage(line)) });
      const decoders = { protocol: decoder('protocol'), stderr: decoder('stderr') };
      bytes.listen((frame: WireFrame) => {
        if (frame.kind === 'bytes') return decoders[frame.on].write(frame.data, frame.at);
        if (frame.kind === 'close') decoders.protocol.end(frame.at);
        if (frame.kind === 'exit') decoders.stderr.end(frame.at);
        receive(frame);
      });
    },
    send(frame) {
      const data = frame.kind === 'bytes' ? frame.data : encodeLine(frame);
      if (data === undefined) return bytes.send(frame);
      const on = frame.kind === 'line' ? frame.on : 'protocol';
      return bytes.send({ kind: 'bytes', at: clock.now(), from: otherSide(peer), on, data });
    },
    drained: (stream, resume) => bytes.drained(stream, resume),
    pause: (stream) => bytes.pause(stream),
    resume: (stream) => bytes.resume(stream),
  };
}
