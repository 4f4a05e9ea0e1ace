import type { Cassette } from '../../cassette/cassette.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { unguessable } from '../../kernel/random.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { printable } from '../../text-report/printable-text.ts';
import { openParent, type Parent } from '../../transports/stdio/parent-channel.ts';
import { say } from '../io/output.ts';
import { untilSignal } from '../io/signals.ts';
import { sayHowToEnd, sayWaitingForClient } from '../io/waiting-for-client-hint.ts';
import { parseListenAddress } from '../options/listen-address.ts';

export interface ClientOfForkOptions {
  /** Address for a client over HTTP. Undefined: the client is on standard input. */
  listen?: string;
  allowHost: readonly string[];
  /** Cassette up to the fork. */
  prefix: Cassette;
  /** `FILE:LINE`, for messages. */
  place: string;
  report(finding: Finding): void;
}

/** The live client of a fork. */
export interface ClientOfFork {
  parent: Parent;
  /** Stops listening. */
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Returns the live client of a fork: on standard input, or over HTTP.
 * @throws McpRecordError USAGE_BAD_LISTEN, HTTP_CANNOT_LISTEN
 */
export async function clientOf(options: ClientOfForkOptions): Promise<ClientOfFork> {
  const { listen: address, allowHost, prefix, place, report } = options;
  const own = openParent(clock);
  if (address === undefined) {
    sayWaitingForClient(`playing ${place}`);
    return { parent: own, close: async () => {} };
  }
  const [{ HttpParent }, { listen }, { SSE_ENDPOINT, SSE_PATH }] = await Promise.all([
    import('../../fork/http-parent.ts'),
    import('../../transports/http/server/http-listener.ts'),
    import('../../replay/http/legacy-sse-server.ts'),
  ]);
  const parent = new HttpParent({ cassette: prefix, own, clock, newSession: unguessable, report });
  const listener = await listen({
    ...parseListenAddress(address),
    path: '/mcp',
    otherPaths: [SSE_PATH, SSE_ENDPOINT],
    allowed: allowHost,
    bodyMax: BODY_BYTES_MAX,
    refused: (request, why) => say(`refused ${printable(request)}: ${printable(why)}`),
    serve: parent.serve,
  });
  void untilSignal().then(() => parent.leave());
  say(`listening on ${listener.url} for ${place}: waiting for its first client, which is the only one`);
  sayHowToEnd();
  return { parent, close: () => listener.close() };
}
