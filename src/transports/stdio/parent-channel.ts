import type { Channel } from '../../channel/channel.ts';
import type { WireFrame } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { openOutputStream, whenDrained, writeTo } from './nonblocking-output.ts';

/**
 * Signals that clients send to their server's process. SIGBREAK exists on Windows only; there, the other signals come
 * from the console.
 */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGBREAK'] as const;

/** Maximum wait for a client that sent a signal and does not read. */
const PATIENCE: Milliseconds = 500;

export interface Parent extends Channel {
  /**
   * Calls `done`, at least once, when the output is written or its pipe is closed. After a signal, it waits no longer
   * than `PATIENCE`.
   */
  flushed(done: () => void): void;
}

/** Returns the channel to the parent process: its messages on our standard input, ours on standard output and error. */
export function openParent(clock: Clock): Parent {
  const outlets = { protocol: openOutputStream(1), stderr: openOutputStream(2) };
  const input = process.stdin;
  let signalled = false;
  let giveUp = () => {};
  return {
    listen(receive) {
      const from = 'client';
      const close = () => receive({ kind: 'close', at: clock.now(), from });
      input.on('data', (data: Buffer) => {
        receive({ kind: 'bytes', at: clock.now(), from, on: 'protocol', data });
      });
      input.once('end', close);
      input.once('error', close);
      for (const signal of SIGNALS) {
        process.on(signal, () => {
          signalled = true;
          receive({ kind: 'signal', at: clock.now(), from, signal });
          giveUp();
        });
      }
    },
    send(frame: WireFrame) {
      if (frame.kind === 'bytes') return writeTo(outlets[frame.on], frame.data);
      if (frame.kind === 'close') outlets.protocol.end();
      return true;
    },
    drained: (stream, resume) => whenDrained(outlets[stream], resume),
    pause: () => void input.pause(),
    resume: () => void input.resume(),
    flushed(done) {
      let left = 2;
      const one = () => void (--left === 0 && done());
      for (const outlet of Object.values(outlets)) {
        if (outlet.writableLength === 0 || outlet.closed) one();
        else whenDrained(outlet, one);
      }
      giveUp = () => void clock.after(PATIENCE, done);
      if (signalled) giveUp();
    },
  };
}
