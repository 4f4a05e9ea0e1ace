import type { Channel } from '../../channel/channel.ts';
import { type Milliseconds, systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { startChild } from '../../transports/stdio/child-process.ts';
import { type GivenHeaders, givenHeaders, NO_HEADERS } from '../options/header-options.ts';

/** Options of a command that records a server. */
export interface RecordedServerOptions {
  http?: string;
  header: string[];
  ca?: string;
}

/** A server to record for a client over stdio. */
export interface RecordedServer {
  /** Starts the server, or connects to it. Calls `failed` if that is impossible. */
  channel(failed: (error: McpRecordError) => void): Channel;
  /** Words that name its cassettes. */
  name: readonly string[];
  /** Headers of the requests to it. */
  given: GivenHeaders;
}

/** Maximum wait for the first event of HTTP with SSE. */
const PATIENCE: Milliseconds = 10_000;

/** Returns the server of a command line: a command, or a URL. */
export async function recordedServer(
  command: readonly string[],
  { http, header, ca: file }: RecordedServerOptions,
): Promise<RecordedServer> {
  if (http === undefined) {
    return {
      name: command,
      given: NO_HEADERS,
      channel: (failed) => startChild({ command, clock: systemClock, failed }),
    };
  }
  const [{ stdioBridge }, { parseUpstream }, { STDIO_PROGRESS_GAP }] = await Promise.all([
    import('../../transports/http/client/stdio-bridge.ts'),
    import('../../transports/http/upstream/parse-upstream.ts'),
    import('../../replay/player/delay-response-after-progress.ts'),
  ]);
  const ca =
    file === undefined ? undefined : (await import('../options/trusted-certificates.ts')).trustedCertificates(file);
  const upstream = parseUpstream(http, process.env);
  const given = await givenHeaders(http, header, process.env);
  return {
    name: [new URL(http).host.replaceAll(':', '-')],
    given,
    channel: (failed) =>
      stdioBridge({
        upstream,
        headers: given.headers,
        clock: systemClock,
        patience: PATIENCE,
        progressGap: STDIO_PROGRESS_GAP,
        failed,
        ...(ca && { ca }),
      }),
  };
}

/**
 * Checks that a command line names one server. `doing`: what the command does to it.
 * @throws McpRecordError USAGE_ONE_SERVER
 */
export function requireOneServer(command: readonly string[], http: string | undefined, doing: string): void {
  if (command.length > 0 !== (http !== undefined)) return;
  throw new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: `Cannot tell which server to ${doing}`,
    why: http === undefined ? 'there is neither a command nor --http' : 'there is a command and --http',
    next: 'Give either the command that starts it, after --, or its URL: --http https://example.com/mcp',
  });
}
