import type { Channel } from '../channel/channel.ts';
import type { WireFrame } from '../channel/frame.ts';
import { relayChannels } from '../channel/relay-channels.ts';
import type { FaultInjectorOptions } from '../faults/engine/fault-injector.ts';
import type { Unfired } from '../faults/engine/unfired-rule.ts';
import type { Clock } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import { startChild } from '../transports/stdio/child-process.ts';
import { stdioFaultRelay } from './stdio-fault-relay.ts';

export interface ProxyOptions {
  command: readonly string[];
  /** Channel to the client. */
  parent: Channel;
  clock: Clock;
  /** Fault rules for both sides. */
  faults?: Pick<FaultInjectorOptions, 'rules' | 'seed' | 'fired' | 'unchanged'>;
}

/** End of the server, or the error that prevented its start. */
export type ProxyEnd = { status: number | string; unfired: readonly Unfired[] } | { error: McpRecordError };

/** Starts a server for a client, and relays their frames with faults until the server ends. */
export function stdioFaultProxy({ command, parent, clock, faults }: ProxyOptions): Promise<ProxyEnd> {
  return new Promise((resolve) => {
    const failed = (error: McpRecordError) => resolve({ error });
    const child = startChild({ command, clock, failed });
    if (faults === undefined || faults.rules.length === 0) {
      const end = (frame: WireFrame) => frame.kind === 'exit' && resolve({ status: frame.status, unfired: [] });
      return relayChannels(parent, child, end);
    }
    stdioFaultRelay({
      client: parent,
      server: child,
      clock,
      faults,
      exited: ({ status }, unfired) => resolve({ status, unfired }),
    });
  });
}
