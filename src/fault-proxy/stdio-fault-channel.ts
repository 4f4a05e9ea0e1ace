import type { Channel } from '../channel/channel.ts';
import type { WireFrame } from '../channel/frame.ts';
import type { FaultInjectorOptions } from '../faults/engine/fault-injector.ts';
import type { Unfired } from '../faults/engine/unfired-rule.ts';
import type { Clock } from '../kernel/clock.ts';
import { stdioFaultRelay } from './stdio-fault-relay.ts';

export interface StdioFaultChannelOptions {
  /** Channel to the server's process. */
  server: Channel;
  clock: Clock;
  /** Fault rules for both sides. */
  faults: Pick<FaultInjectorOptions, 'rules' | 'seed' | 'fired' | 'unchanged'>;
  /** Called with each client frame that is forwarded to the server. */
  sent?(frame: WireFrame): void;
}

export interface StdioFaultChannel {
  /** Channel to the server, with faults. */
  channel: Channel;
  /** Returns the rules that have not fired. */
  unfired(): readonly Unfired[];
}

/** Wraps the channel to a stdio server so that faults are injected in both directions. */
export function stdioFaultChannel({
  server,
  clock,
  faults,
  sent = () => {},
}: StdioFaultChannelOptions): StdioFaultChannel {
  let hear = (_frame: WireFrame): void => {};
  let tell = (_frame: WireFrame): void => {};
  let isFull = false;
  let waiting: (() => void)[] = [];
  /** The client, as seen by the relay. */
  const client: Channel = {
    listen: (receive) => {
      tell = receive;
    },
    send(frame) {
      hear(frame);
      return true;
    },
    drained: (_stream, resume) => resume(),
    pause: () => {
      isFull = true;
    },
    resume: () => {
      isFull = false;
      const resumed = waiting;
      waiting = [];
      for (const one of resumed) one();
    },
  };
  let unfired = (): readonly Unfired[] => faults.rules.map((_, index) => ({ rule: index + 1 }));
  const channel: Channel = {
    listen(receive) {
      hear = receive;
      const traffic = stdioFaultRelay({ client, server, clock, faults, sent, exited: receive });
      unfired = () => traffic.unfired;
    },
    send(frame) {
      tell(frame);
      return !isFull;
    },
    drained: (_stream, resume) => void (isFull ? waiting.push(resume) : resume()),
    pause: (stream) => server.pause(stream),
    resume: (stream) => server.resume(stream),
  };
  return { channel, unfired: () => unfired() };
}
