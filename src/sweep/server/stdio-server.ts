import type { Channel } from '../../channel/channel.ts';
import { stdioFaultChannel } from '../../fault-proxy/stdio-fault-channel.ts';
import type { Clock } from '../../kernel/clock.ts';
import { startChild } from '../../transports/stdio/child-process.ts';
import { Leftovers, type LeftProcesses } from '../../transports/stdio/leftover-processes.ts';
import { liveServerOverChannel } from '../../verify/run/live-server-over-channel.ts';
import type { ServerUnderTest } from './server-under-test-types.ts';

const SEED = 1;

/** Server under test over stdio: each connection starts a new process. */
export function stdioServer(command: readonly string[], clock: Clock): ServerUnderTest {
  return {
    transport: 'stdio',
    async connect({ rules, grace, fired, unchanged, failed }) {
      let [hasExited, wasSignalled, isOver] = [false, false, false];
      let left: LeftProcesses;
      const child = startChild({
        command,
        clock,
        failed,
        exited: () => {
          hasExited = !wasSignalled;
        },
        processes: new Leftovers({ env: process.env, clock, isMarked: true }),
        outlived: (found) => {
          left ??= found;
        },
      });
      const server: Channel = {
        ...child,
        listen(receive) {
          child.listen((frame) => {
            isOver ||= frame.kind === 'exit';
            receive(frame);
          });
        },
        send(frame) {
          wasSignalled ||= frame.kind === 'signal';
          return child.send(frame);
        },
      };
      const { channel } = stdioFaultChannel({ server, clock, faults: { rules, seed: SEED, fired, unchanged } });
      return {
        server: liveServerOverChannel(channel, clock, { grace }),
        left: () => left,
        hasExited: () => hasExited,
        async close() {
          // Signals do not pass a client that has left.
          if (!isOver) child.send({ kind: 'signal', at: clock.now(), from: 'client', signal: 'SIGKILL' });
        },
      };
    },
  };
}
