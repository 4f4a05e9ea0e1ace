import type { Channel } from '../channel/channel.ts';
import type { Clock, Milliseconds } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import type { RedactorOptions } from '../redact/redactor.ts';
import { startChild } from '../transports/stdio/child-process.ts';

/** The command that starts a server. `env` is added to the environment of this process. */
export interface ServerCommand {
  command: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** The MCP endpoint of a running server, over HTTP of any revision. */
export interface ServerUrl {
  url: string;
  /** Header fields for every request. They are not recorded. */
  headers?: Readonly<Record<string, string>>;
}

/** The live server of a session. */
export type Server = ServerCommand | ServerUrl;

/** Returns the sources of a server's credentials for the redactor: its environment, and its request headers. */
export function credentialSources(server: Server | undefined): Pick<RedactorOptions, 'env' | 'headers'> {
  if (server === undefined) return { env: process.env };
  if ('url' in server) return { env: process.env, headers: server.headers ?? {} };
  return { env: { ...process.env, ...server.env } };
}

export interface ServerConnectOptions {
  clock: Clock;
  /** Called when the process has started, or the URL is valid. */
  started(): void;
  /** Called when the process cannot be started. */
  failed(error: Error): void;
}

/** Longest wait for the `endpoint` event of HTTP with SSE. */
const ENDPOINT_WAIT_MAX: Milliseconds = 10_000;
/** Gap between progress and a response, for a client in memory. It gets what arrives in one turn of the event loop at once. */
const PROGRESS_GAP: Milliseconds = 1;

/**
 * Connects to a live server. The channel carries bytes as from a process, even over HTTP.
 * @throws McpRecordError USAGE_BAD_URL
 */
export async function connectToServer(
  server: Server,
  { clock, started, failed }: ServerConnectOptions,
): Promise<Channel> {
  if ('url' in server) {
    const channel = await connectOverHttp(server, clock);
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

/** Connects over HTTP. A failed connection becomes a line on stderr and an exit, as of a process. */
async function connectOverHttp({ url, headers = {} }: ServerUrl, clock: Clock): Promise<Channel> {
  const [{ stdioBridge }, { parseUpstream }] = await Promise.all([
    import('../transports/http/client/stdio-bridge.ts'),
    import('../transports/http/upstream/parse-upstream.ts'),
  ]);
  let receive: Parameters<Channel['listen']>[0] = () => {};
  const failed = ({ message }: McpRecordError) => {
    const data = Buffer.from(`${message}\n`);
    receive({ kind: 'bytes', at: clock.now(), from: 'server', on: 'stderr', data });
    bridge.send({ kind: 'signal', at: clock.now(), from: 'client', signal: 'SIGTERM' });
  };
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const bridge = stdioBridge({
    upstream: parseUpstream(url, {}, { isOfTest: true }),
    headers: Object.fromEntries(lowerCase),
    clock,
    patience: ENDPOINT_WAIT_MAX,
    progressGap: PROGRESS_GAP,
    failed,
  });
  return {
    ...bridge,
    listen(listener) {
      receive = listener;
      bridge.listen(listener);
    },
  };
}
