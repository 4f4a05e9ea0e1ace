import type { Channel } from '../../channel/channel.ts';
import { stdioFaultChannel } from '../../fault-proxy/stdio-fault-channel.ts';
import type { Clock } from '../../kernel/clock.ts';
import { startChild } from '../../transports/stdio/child-process.ts';
import { liveServerOverChannel } from '../../verify/run/live-server-over-channel.ts';
import type { ServerUnderTest } from './server-under-test-types.ts';

const SEED = 1;

/** Server under test over stdio: each connection starts a new process. */
export function stdioServer(command: readonly string[], clock: Clock): ServerUnderTest {
  return {
    transport: 'stdio',
    async connect({ rules, grace, fired, failed }) {
      let [hasExited, wasSignalled, isOver, isOutlived] = [false, false, false, false];
      const child = startChild({
        command,
        clock,
        failed,
        exited: () => {
          hasExited = !wasSignalled;
        },
        outlived: (left) => {
          isOver = true;
          isOutlived ||= left;
        },
      });
      const process: Channel = {
        ...child,
        send(frame) {
          if (frame.kind === 'signal') {
            wasSignalled = true;
            // Others hold its output.
            isOutlived ||= hasExited && !isOver;
          }
          return child.send(frame);
        },
      };
      const { channel } = stdioFaultChannel({ server: process, clock, faults: { rules, seed: SEED, fired } });
      return {
        server: liveServerOverChannel(channel, clock, { grace }),
        isOutlived: () => isOutlived,
        hasExited: () => hasExited,
        async close() {
          // Signals do not pass a client that has left.
          if (!isOver) child.send({ kind: 'signal', at: clock.now(), from: 'client', signal: 'SIGKILL' });
        },
      };
    },
  };
}
