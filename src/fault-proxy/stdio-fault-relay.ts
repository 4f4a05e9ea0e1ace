import type { Channel } from '../channel/channel.ts';
import { type ExitFrame, type Frame, otherSide, type Side, type WireFrame } from '../channel/frame.ts';
import { FaultInjector, type FaultInjectorOptions } from '../faults/engine/fault-injector.ts';
import type { Unfired } from '../faults/engine/unfired-rule.ts';
import type { Clock } from '../kernel/clock.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { lineChannel } from '../transports/stdio/line-channel.ts';

export interface JoinOptions {
  /** Channels to the client and to the server process. */
  client: Channel;
  server: Channel;
  clock: Clock;
  /** Fault rules for both sides. */
  faults: Pick<FaultInjectorOptions, 'rules' | 'seed' | 'fired' | 'unchanged'>;
  /** Called with each client frame that is forwarded to the server. */
  sent?(frame: WireFrame): void;
  /**
   * Called once, after the server or a fault has ended the session, with the unfired rules. Later frames are dropped.
   */
  exited(exit: ExitFrame, unfired: readonly Unfired[]): void;
}

const NOTHING = new Uint8Array(0);

/**
 * Relays frames between a client and a server over stdio, with faults. A side that does not read blocks the other side.
 */
export function stdioFaultRelay({ client, server, clock, faults, sent, exited }: JoinOptions): FaultInjector {
  const ends: Record<Side, Channel> = {
    client: lineChannel(client, 'client', clock),
    server: lineChannel(server, 'server', clock),
  };
  let ended = false;
  const send = (frame: WireFrame) => {
    if (ended) return;
    const near = ends[frame.from];
    const far = ends[otherSide(frame.from)];
    if (frame.kind === 'exit') {
      ended = true;
      traffic.stop();
      // Ends the process, because its exit has been announced.
      server.send({ kind: 'signal', at: clock.now(), from: 'client', signal: 'SIGKILL' });
      return exited(frame, traffic.unfired);
    }
    if (frame.from === 'client') sent?.(frame);
    if (far.send(frame)) return;
    near.pause('protocol');
    far.drained('protocol', () => near.resume('protocol'));
  };
  const traffic = new FaultInjector({
    ...faults,
    clock,
    encode: (frame) => encodeLine(frame) ?? NOTHING,
    send,
    pause: (side, paused) => (paused ? ends[side].pause('protocol') : ends[side].resume('protocol')),
  });
  /** Exit of the server. Undefined while the server runs. */
  let exit: ExitFrame | undefined;
  const take = (frame: WireFrame) => {
    if (frame.kind === 'bytes') return;
    if (frame.kind === 'exit') {
      exit = frame;
      // Held frames are delivered before the exit of the server.
      traffic.whenIdle(() => traffic.push(frame));
    } else if (frame.kind === 'signal' && exit) {
      // The client waits no longer for held frames.
      send(exit);
    } else traffic.push(frame as Frame);
  };
  ends.client.listen(take);
  ends.server.listen(take);
  traffic.begin();
  return traffic;
}
