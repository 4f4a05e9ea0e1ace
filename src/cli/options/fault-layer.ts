import type { Channel } from '../../channel/channel.ts';
import type { Unfired } from '../../faults/engine/unfired-rule.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import type { LiveServer } from '../../verify/run/live-server-types.ts';
import { say } from '../io/output.ts';
import type { Faults } from './fault-options.ts';

/** Injects faults between this program and a server. */
export interface FaultLayer {
  /** Wraps a channel to the process with the faults. */
  channel(server: Channel): Channel;
  /** Returns a fault proxy in front of an HTTP server. */
  upstream(server: Upstream, ca: readonly string[] | undefined): Promise<Upstream>;
  /** Wraps the live server behind {@link channel}, so that its client hears of cancels that faults inject. */
  live(server: LiveServer): LiveServer;
  /** Returns the rules that have not fired. */
  unfired(): readonly Unfired[];
}

/** Returns the fault layer for `faults`. Without faults, the server is used directly. */
export async function faultLayerFor(faults: Faults | undefined): Promise<FaultLayer> {
  if (faults === undefined) {
    return {
      channel: (server) => server,
      live: (server) => server,
      upstream: async (server) => server,
      unfired: () => [],
    };
  }
  const { stdioFaultChannel } = await import('../../fault-proxy/stdio-fault-channel.ts');
  const { FaultInjectedCancels } = await import('../../verify/run/give-up-requests-cancelled-by-faults.ts');
  let cancels = new FaultInjectedCancels(clock);
  let unfired = (): readonly Unfired[] => faults.rules.map((_, index) => ({ rule: index + 1 }));
  return {
    channel(server) {
      cancels = new FaultInjectedCancels(clock);
      const { fired, ...rules } = faults;
      const made = stdioFaultChannel({
        server,
        clock,
        faults: {
          ...rules,
          fired(one) {
            cancels.fired(one);
            fired(one);
          },
        },
        sent: (frame) => cancels.sent(frame),
      });
      unfired = made.unfired;
      return made.channel;
    },
    live: (server) => cancels.server(server),
    async upstream(upstream, ca) {
      const [{ httpFaultProxy }, { parseUpstream }] = await Promise.all([
        import('../../fault-proxy/http-fault-proxy.ts'),
        import('../../transports/http/upstream/parse-upstream.ts'),
      ]);
      const listen = { hostname: '127.0.0.1', port: 0 };
      const trouble = (error: Error) => say(error.message);
      const proxy = await httpFaultProxy({ upstream, listen, ...(ca && { ca }), clock, faults, trouble });
      unfired = proxy.unfired;
      return parseUpstream(proxy.origin + upstream.path + upstream.search);
    },
    unfired: () => unfired(),
  };
}
