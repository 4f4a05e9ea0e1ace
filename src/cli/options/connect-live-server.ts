import type { Headers } from '../../channel/frame.ts';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { StartLiveServer } from '../../verify/run/live-server-types.ts';
import type { FaultLayer } from './fault-layer.ts';

/** Options of a command that connects to a live server as its client. */
export interface LiveServerOptions {
  /** Name of the mcp-record command, for messages. */
  command: string;
  http?: string;
  headers: Headers;
  ca?: string;
}

/**
 * Returns a function that starts a session with the server of a command line: a command (optionally after `--`), or a
 * URL.
 * @throws McpRecordError USAGE_ONE_SERVER
 */
export function liveServerConnector(
  words: readonly string[],
  options: LiveServerOptions,
  way: FaultLayer,
): StartLiveServer {
  const { http, headers } = options;
  const command = words[0] === '--' ? words.slice(1) : words;
  if (http === undefined) {
    if (command.length === 0) throw whichServer(options.command, 'neither a command nor --http URL was given');
    return async ({ failed, clock = systemClock }) => {
      const { startChild } = await import('../../transports/stdio/child-process.ts');
      const { liveServerOverChannel } = await import('../../verify/run/live-server-over-channel.ts');
      return way.live(liveServerOverChannel(way.channel(startChild({ command, clock, failed })), clock));
    };
  }
  if (command.length > 0) throw whichServer(options.command, 'a command and --http were given');
  return async ({ patience, clock = systemClock }) => {
    const { liveHttpServer } = await import('../../verify/run/live-http-server.ts');
    const { parseUpstream } = await import('../../transports/http/upstream/parse-upstream.ts');
    const { trustedCertificates } = await import('./trusted-certificates.ts');
    const ca = options.ca === undefined ? undefined : trustedCertificates(options.ca);
    const upstream = await way.upstream(parseUpstream(http, process.env), ca);
    return liveHttpServer({ upstream, headers, clock, patience, ...(ca && { ca }) });
  };
}

function whichServer(command: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_ONE_SERVER',
    what: `Cannot tell which server to ${command === 'verify' ? 'verify' : 'ask'}`,
    why,
    next: `Give one: mcp-record ${command} … -- node server.js, or mcp-record ${command} … --http URL.`,
  });
}
