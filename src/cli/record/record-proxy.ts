import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isLoopback } from '../../protocol/loopback.ts';
import { ProxiedEndpoints } from '../../record/http/proxied-endpoints.ts';
import { openCertificateAuthority } from '../../transports/http/forward-proxy/certificate-authority.ts';
import { startForwardProxy } from '../../transports/http/forward-proxy/forward-proxy.ts';
import { type NamedHosts, parseNamedHosts } from '../../transports/http/forward-proxy/named-hosts.ts';
import { childExitStatus } from '../io/child-exit-status.ts';
import { EXIT, fail, print, say } from '../io/output.ts';
import { isFolder, recordingDestination } from '../io/recording-destination.ts';
import { CASSETTE_FAILED } from '../io/recording-failures.ts';
import { interruption } from '../io/signals.ts';
import { sayHowToEnd } from '../io/waiting-for-client-hint.ts';
import { parseListenAddress } from '../options/listen-address.ts';
import { trustedCertificates } from '../options/trusted-certificates.ts';
import { type HttpRecordingOptions, numberOf, prepareHttpRecording } from './prepare-http-recording.ts';
import { proxiedClientVariables, runClient, shellLines } from './proxied-client.ts';

interface Options extends HttpRecordingOptions {
  proxy: string;
  proxyCa?: string;
  listen: string;
  ca?: string;
  connections: string;
}

/**
 * Runs `mcp-record record --proxy HOST,… -o FILE [-- CLIENT…]`: records what clients send to servers by their own
 * addresses, as a forward proxy. It ends with the client, or by a signal.
 */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const client = command.args[0] === '--' ? command.args.slice(1) : command.args;
  const listen = parseListenAddress(options.listen);
  const hosts = parseNamedHosts([options.proxy], process.env);
  refuseLoop(hosts, listen.port);
  const recording = await prepareHttpRecording(options, {});
  const ca = options.ca === undefined ? undefined : trustedCertificates(options.ca);
  const folder = options.proxyCa ?? userFolder(process.platform, process.env);
  const authority = await openCertificateAuthority({ folder, now: systemClock.date() });
  const certificate = await authority.certificateFor([...hosts.values()].map(({ upstream }) => upstream.hostname));
  // All servers share a file. In a folder, the names of the files name them.
  const shared = isFolder(options.output) ? undefined : recordingDestination(options.output, []);
  const endpoints = new ProxiedEndpoints({
    holdBytesMax: recording.holdBytesMax,
    memory: recording.memory,
    other: (origin) => recording.aside(origin),
    recorder: (upstream) =>
      recording.recorder(
        upstream,
        shared ?? recordingDestination(options.output, [upstream.host.replaceAll(':', '-')]),
      ),
  });
  const proxy = await startForwardProxy({
    hosts,
    listen,
    certificate,
    ...(ca && { ca }),
    connectionsMax: numberOf(options.connections, '--connections'),
    clock: systemClock,
    exchange: (host) => endpoints.exchange(host),
    trouble: (error) => say(error.message),
  });
  const interrupted = interruption();
  const variables = proxiedClientVariables({ origin: proxy.origin, authority, hosts, env: process.env });
  if (authority.isNew) say(`made a certificate authority for this user in ${folder}`);
  say(`listening on ${proxy.origin} as a proxy for ${[...hosts.keys()].join(', ')}`);
  let status: number = EXIT.ok;
  if (client.length > 0) status = await runClient(client, { ...process.env, ...variables }, interrupted).catch(fail);
  else {
    say('start the client with these variables:');
    await print(`${shellLines(variables, process.platform).join('\n')}\n`);
    sayHowToEnd();
    await untilAborted(interrupted.aborted);
  }
  endpoints.end('complete');
  await proxy.close();
  await recording.end();
  const signal = client.length > 0 ? interrupted.by() : undefined;
  if (signal !== undefined) process.exit(childExitStatus(signal));
  if (endpoints.isEmpty) status ||= sayNothingRecorded(hosts);
  process.exit(status || (recording.fellShort() ? CASSETTE_FAILED : EXIT.ok));
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Returns the folder of the user's certificate authority. */
function userFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  const data = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_DATA_HOME;
  const base = data || join(homedir(), ...(platform === 'win32' ? ['AppData', 'Local'] : ['.local', 'share']));
  return join(base, 'mcp-record', 'proxy-ca');
}

/** @throws McpRecordError PROXY_LOOP */
function refuseLoop(hosts: NamedHosts, port: number): void {
  const own = [...hosts.values()].find(({ upstream: { proxy } }) => proxy?.port === port && isLoopback(proxy.hostname));
  if (own === undefined) return;
  throw new McpRecordError({
    code: 'PROXY_LOOP',
    what: `Cannot reach ${own.upstream.origin}`,
    why: `the variables of this shell name ${own.upstream.proxy?.origin} as its proxy, which is the recorder itself`,
    next: 'Start the recorder in another shell than its client, or unset HTTPS_PROXY and HTTP_PROXY.',
  });
}

/** Says that the client has reached no endpoint, so that a run without any recording does not pass as one. */
function sayNothingRecorded(hosts: NamedHosts): number {
  fail(
    new McpRecordError({
      code: 'PROXY_NOTHING_RECORDED',
      what: `Cannot find any MCP message to ${[...hosts.keys()].join(', ')}`,
      why: 'no client has sent one through the proxy',
      next: 'Check that the client uses HTTPS_PROXY (Node has NODE_USE_ENV_PROXY from version 24 on; Go uses no proxy for localhost), and the host that it calls.',
    }),
  );
  return EXIT.fellShort;
}
