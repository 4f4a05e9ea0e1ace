import type { ExitFrame } from '../../channel/frame.ts';
import { memoryPair } from '../../channel/memory-pair.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import type { LiveEvents, LiveServer } from '../../verify/run/live-server-types.ts';
import { type SdkTransport, serverTransport } from '../sdk/channel-transport.ts';
import { ServerWork } from './server-work.ts';

/** Connects a server in this process to `transport`, e.g. `(transport) => server.connect(transport)`. */
export type ConnectServer = (transport: SdkTransport) => Promise<void> | void;

/** Maximum wait for the pending work of a server, as for the end of a process. */
const GRACE: Milliseconds = 2_000;

/**
 * Returns a live server in this process. After the client's end it does its pending work before it is closed, as a process does after the end of its
 * input: a late message reaches the client.
 */
export function inProcessServer(connect: ConnectServer, clock: Clock): LiveServer {
  const [near, far] = memoryPair();
  const work = new ServerWork();
  const exit: ExitFrame = { kind: 'exit', at: clock.now(), from: 'server', status: 0 };
  let isOver = false;
  let listener: LiveEvents;
  const end = () => {
    if (isOver) return;
    isOver = true;
    work.stop();
    listener.ended({ exit, killed: false });
  };
  const ofServer: typeof far = {
    ...far,
    listen: (receive) => far.listen((frame) => work.run(() => receive(frame))),
  };
  return {
    isProcess: false,
    begin(_plan, events) {
      listener = events;
      near.listen((frame) =>
        work.runOutside(() => {
          if (frame.kind === 'message' || frame.kind === 'line') events.receive(frame);
          if (frame.kind !== 'close') return;
          events.closed();
          end();
        }),
      );
      Promise.resolve()
        .then(() => work.run(() => connect(serverTransport(ofServer))))
        .catch((error) => {
          work.stop();
          events.failed(cannotConnect(error));
        });
    },
    send: (frame) => void near.send(frame),
    close() {
      work.whenDone(GRACE, () => {
        near.send({ kind: 'close', at: clock.now(), from: 'client' });
        clock.endOfTurn(end);
      });
    },
  };
}

function cannotConnect(error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'SESSION_NO_SERVER',
    what: 'Cannot connect the server to its client',
    why: messageOf(error),
    next: 'Give a function that connects it: (transport) => server.connect(transport).',
    cause: error,
  });
}
