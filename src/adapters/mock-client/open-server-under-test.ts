import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { connectToServer, type Server } from '../../modes/connect-to-server.ts';
import { checkTestedServer } from '../../modes/validate-api-options.ts';
import { parseUpstream } from '../../transports/http/upstream/parse-upstream.ts';
import { liveHttpServer } from '../../verify/run/live-http-server.ts';
import { liveServerOverChannel } from '../../verify/run/live-server-over-channel.ts';
import type { LiveServer } from '../../verify/run/live-server-types.ts';
import { type ConnectServer, inProcessServer } from '../in-process/in-process-server.ts';

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
  if (typeof server === 'function') return inProcessServer(server, clock);
  if ('url' in server)
    return liveHttpServer({
      ...options,
      upstream: parseUpstream(server.url, {}, { isOfTest: true }),
      headers: { ...server.headers },
    });
  return liveServerOverChannel(await connectToServer(server, { clock, started() {}, failed }), clock);
}
