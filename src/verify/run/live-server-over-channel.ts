import { cancelsByStream } from '../../cassette/correlate/stream-cancel-finder.ts';
import type { Channel } from '../../channel/channel.ts';
import type { ExitFrame, Frame, LineFrame, MessageFrame } from '../../channel/frame.ts';
import { lineToMessage } from '../../channel/line-to-message.ts';
import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';
import { isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { cancelOf } from '../../replay/prepare/stream-close-to-cancel.ts';
import { encodeLine } from '../../transports/stdio/encode-line.ts';
import { LineDecoder } from '../../transports/stdio/line-decoder.ts';
import type { LiveEvents, LiveServer } from './live-server-types.ts';

const LINE_BYTES_MAX = 256 * 1024 * 1024;
/** Delay between the end of input and SIGTERM, and between SIGTERM and SIGKILL, as in the SDK clients. */
const GRACE: Milliseconds = 2_000;

/** A live server process behind `channel`. `grace`: how long it may take to end after its input has ended. */
export function liveServerOverChannel(
  channel: Channel,
  clock: Clock,
  { grace = GRACE }: { grace?: Milliseconds } = {},
): LiveServer {
  let listener: LiveEvents;
  let killed = false;
  let stopEnding: Cancel = () => {};
  const cancels = new StreamCancels();

  const hear = (line: LineFrame): void => {
    // No client receives a message without its line break, which delimits messages (2025-11-25, "stdio").
    const frame = line.partial ? line : lineToMessage(line);
    cancels.hear(frame);
    listener.receive(frame);
  };
  const end = (exit?: ExitFrame): void => {
    stopEnding();
    listener.ended({ killed, ...(exit && { exit }) });
  };
  const endLater = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    stopEnding = clock.after(signal === 'SIGTERM' ? grace : GRACE, () => {
      killed = true;
      channel.send({ kind: 'signal', at: clock.now(), from: 'client', signal });
      if (signal === 'SIGTERM') endLater('SIGKILL');
      // Child processes of the server may hold its output open. They are not waited for.
      else stopEnding = clock.after(GRACE, () => end());
    });
  };

  return {
    isProcess: true,
    begin(_plan, events) {
      listener = events;
      const open = () => events.stop('it sent more than 256 MB in one line');
      const long = { open, piece() {}, close() {} };
      const lines = { from: 'server', line: hear, long, holdBytesMax: LINE_BYTES_MAX } as const;
      const protocol = new LineDecoder({ ...lines, on: 'protocol' });
      const stderr = new LineDecoder({ ...lines, on: 'stderr' });
      channel.listen((frame) => {
        if (frame.kind === 'bytes') {
          (frame.on === 'stderr' ? stderr : protocol).write(frame.data, frame.at);
        } else if (frame.kind === 'close') {
          protocol.end(frame.at);
          events.closed();
        } else if (frame.kind === 'exit') {
          stderr.end(frame.at);
          end(frame);
        }
      });
    },
    send(frame) {
      for (const said of cancels.say(frame)) {
        const data = encodeLine(said);
        if (data) channel.send({ kind: 'bytes', at: clock.now(), from: 'client', on: 'protocol', data });
      }
    },
    close() {
      channel.send({ kind: 'close', at: clock.now(), from: 'client' });
      endLater('SIGTERM');
    },
  };
}

/**
 * Converts cancellations: from 2026-07-28 on an HTTP client closes the request's stream, while a stdio client sends a
 * notification.
 */
class StreamCancels {
  /** Unanswered request of a stream. */
  readonly #open = new Map<number, MessageFrame>();

  hear(frame: Frame): void {
    if (this.#open.size === 0 || frame.kind !== 'message' || !isResponse(frame.json.value)) return;
    const id = scalarKeyAt(frame.json, ['id']);
    for (const [stream, { json }] of this.#open) {
      if (scalarKeyAt(json, ['id']) === id) this.#open.delete(stream);
    }
  }

  /** Returns the frames to send for `frame`. */
  say(frame: Frame): Frame[] {
    const { stream } = frame;
    if (stream === undefined) return [frame];
    if (frame.kind === 'message') {
      if (cancelsByStream(frame)) this.#open.set(stream, frame);
      return [frame];
    }
    const request = frame.kind === 'close' ? this.#open.get(stream) : undefined;
    if (request === undefined) return frame.kind === 'line' ? [frame] : [];
    this.#open.delete(stream);
    return [cancelOf(request, frame.at)];
  }
}
