import type { Channel } from '../channel/channel.ts';
import { type Frame, otherSide, type Side, type WireFrame } from '../channel/frame.ts';
import { relay } from '../channel/relay.ts';
import { Misbehaviour, type MisbehaviourOptions } from '../faults/misbehaviour.ts';
import type { Clock } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import { startChild } from '../transports/stdio/child.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { lineChannel } from '../transports/stdio/line-channel.ts';

export interface ProxyOptions {
  command: readonly string[];
  /** The client. */
  parent: Channel;
  clock: Clock;
  /** How the two shall misbehave on purpose. */
  faults?: Pick<MisbehaviourOptions, 'rules' | 'seed' | 'fired'>;
}

/** How the server ended, or why it never began. */
export type ProxyEnd = { status: number | string; unfired: readonly number[] } | { error: McpRecordError };

const NOTHING = new Uint8Array(0);

/** Joins a client to the server that it wanted to start, misbehaving as asked, until the server has ended. */
export function proxyStdio({ command, parent, clock, faults }: ProxyOptions): Promise<ProxyEnd> {
  return new Promise((resolve) => {
    const failed = (error: McpRecordError) => resolve({ error });
    const child = startChild({ command, clock, failed });
    if (faults === undefined || faults.rules.length === 0) {
      const end = (frame: WireFrame) =>
        frame.kind === 'exit' && resolve({ status: frame.status, unfired: [] });
      return relay(parent, child, end);
    }
    const ends: Record<Side, Channel> = {
      client: lineChannel(parent, 'client', clock),
      server: lineChannel(child, 'server', clock),
    };
    let ended = false;
    const send = (frame: WireFrame) => {
      if (ended) return;
      const near = ends[frame.from];
      const far = ends[otherSide(frame.from)];
      if (frame.kind === 'exit') {
        ended = true;
        traffic.stop();
        // A server that was said to have ended has ended.
        child.send({ kind: 'signal', at: clock.now(), from: 'client', signal: 'SIGKILL' });
        return resolve({ status: frame.status, unfired: traffic.unfired });
      }
      if (far.send(frame)) return;
      near.pause('protocol');
      far.drained('protocol', () => near.resume('protocol'));
    };
    const traffic = new Misbehaviour({
      ...faults,
      clock,
      encode: (frame) => encodeLine(frame) ?? NOTHING,
      send,
      pause: (side, paused) => (paused ? ends[side].pause('protocol') : ends[side].resume('protocol')),
    });
    const take = (frame: WireFrame) => {
      if (frame.kind === 'bytes') return;
      // Nothing held goes lost because the server was quick to end.
      if (frame.kind === 'exit') traffic.whenIdle(() => traffic.push(frame));
      else traffic.push(frame as Frame);
    };
    ends.client.listen(take);
    ends.server.listen(take);
  });
}
