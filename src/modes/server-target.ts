import type { Channel } from '../channel/channel.ts';
import type { Clock, Milliseconds } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import { startChild } from '../transports/stdio/child-process.ts';

/** How a test starts its server; the environment is added to our own. */
export interface ServerCommand {
  command: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** A server that runs already: its MCP endpoint, over HTTP of any revision. */
export interface ServerUrl {
  url: string;
  /** Sent with every request, and in no cassette. */
  headers?: Readonly<Record<string, string>>;
}

/** The live server of a session. */
export type Server = ServerCommand | ServerUrl;

export interface Reached {
  clock: Clock;
  /** Told when the server is there; of one over HTTP, when its URL could be read. */
  started(): void;
  /** Told instead where it is not. */
  failed(error: Error): void;
}

/** How long to wait for the endpoint that HTTP with SSE begins with. */
const PATIENCE: Milliseconds = 10_000;

/**
 * The bytes of a live server as a process says them, however it is reached.
 * @throws McpRecordError USAGE_BAD_URL
 */
export async function reach(server: Server, { clock, started, failed }: Reached): Promise<Channel> {
  if ('url' in server) {
    const channel = await dial(server, clock);
    started();
    return channel;
  }
  const { command, args = [], env, cwd } = server;
  return startChild({
    command: [command, ...args],
    clock,
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
    started,
    failed,
  });
}

/** A server that cannot be reached says why, as a process would, and ends. */
async function dial({ url, headers = {} }: ServerUrl, clock: Clock): Promise<Channel> {
  const [{ stdioBridge }, { parseUpstream }] = await Promise.all([
    import('../transports/http/client/stdio-bridge.ts'),
    import('../transports/http/upstream/upstream.ts'),
  ]);
  let receive: Parameters<Channel['listen']>[0] = () => {};
  const failed = ({ message }: McpRecordError) => {
    const data = Buffer.from(`${message}\n`);
    receive({ kind: 'bytes', at: clock.now(), from: 'server', on: 'stderr', data });
    dialed.send({ kind: 'signal', at: clock.now(), from: 'client', signal: 'SIGTERM' });
  };
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const dialed = stdioBridge({
    upstream: parseUpstream(url),
    headers: Object.fromEntries(lowerCase),
    clock,
    patience: PATIENCE,
    failed,
  });
  return {
    ...dialed,
    listen(listener) {
      receive = listener;
      dialed.listen(listener);
    },
  };
}
