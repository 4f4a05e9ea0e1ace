import type { ExitFrame } from '../../channel/frame.ts';
import { memoryPair } from '../../channel/memory-pair.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { connectToServer, type Server } from '../../modes/connect-to-server.ts';
import { checkTestedServer } from '../../modes/validate-api-options.ts';
import { parseUpstream } from '../../transports/http/upstream/parse-upstream.ts';
import { liveHttpServer } from '../../verify/run/live-http-server.ts';
import { liveServerOverChannel } from '../../verify/run/live-server-over-channel.ts';
import type { LiveEvents, LiveServer } from '../../verify/run/live-server-types.ts';
import { type SdkTransport, serverTransport } from '../sdk/channel-transport.ts';

/** Connects a server in this process to `transport`, e.g. `(transport) => server.connect(transport)`. */
export type ConnectServer = (transport: SdkTransport) => Promise<void> | void;

/** The server under test: a command, a URL, or a function in this process. */
export type TestedServer = Server | ConnectServer;

interface OpenOptions {
  clock: Clock;
  /** Maximum wait for the first event of HTTP with SSE. */
  patience: Milliseconds;
  /** Maximum wait for the HTTP response to a notification. Default: `patience`. */
  responseWaitMax?: Milliseconds;
  /** Called when a command cannot be started. */
  failed(error: Error): void;
}

/** Returns the server under test. It starts with its client. */
export async function openServerUnderTest(
  server: TestedServer,
  { failed, ...options }: OpenOptions,
): Promise<LiveServer> {
  const { clock } = options;
  checkTestedServer(server);
  if (typeof server === 'function') return inMemory(server, clock);
  if ('url' in server)
    return liveHttpServer({ ...options, upstream: parseUpstream(server.url), headers: { ...server.headers } });
  return liveServerOverChannel(await connectToServer(server, { clock, started() {}, failed }), clock);
}

/** Returns a live server in this process. */
function inMemory(connect: ConnectServer, clock: Clock): LiveServer {
  const [near, far] = memoryPair();
  const exit: ExitFrame = { kind: 'exit', at: clock.now(), from: 'server', status: 0 };
  let isOver = false;
  let listener: LiveEvents;
  const end = () => {
    if (isOver) return;
    isOver = true;
    listener.ended({ exit, killed: false });
  };
  return {
    isProcess: false,
    begin(_plan, events) {
      listener = events;
      near.listen((frame) => {
        if (frame.kind === 'message' || frame.kind === 'line') events.receive(frame);
        if (frame.kind !== 'close') return;
        events.closed();
        end();
      });
      Promise.resolve()
        .then(() => connect(serverTransport(far)))
        .catch((error) => events.failed(cannotConnect(error)));
    },
    send: (frame) => void near.send(frame),
    close() {
      near.send({ kind: 'close', at: clock.now(), from: 'client' });
      clock.endOfTurn(end);
    },
  };
}

function cannotConnect(error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'SESSION_NO_SERVER',
    what: 'Cannot connect the server to its client',
    why: error instanceof Error ? error.message : String(error),
    next: 'Give a function that connects it: (transport) => server.connect(transport).',
    cause: error,
  });
}
