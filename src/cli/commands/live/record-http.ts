import type { Command } from 'commander';
import { systemClock } from '../../../kernel/clock.ts';
import { startReverseProxy } from '../../../transports/http/proxy/reverse-proxy.ts';
import { parseUpstream } from '../../../transports/http/upstream/parse-upstream.ts';
import { EXIT, say } from '../../io/output.ts';
import { recordingDestination } from '../../io/recording-destination.ts';
import { CASSETTE_FAILED } from '../../io/recording-failures.ts';
import { untilSignal } from '../../io/signals.ts';
import { sayHowToEnd } from '../../io/waiting-for-client-hint.ts';
import { faultLayerFor } from '../../options/fault-layer.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../../options/fault-options.ts';
import { givenHeaders } from '../../options/header-options.ts';
import { parseListenAddress } from '../../options/listen-address.ts';
import { trustedCertificates } from '../../options/trusted-certificates.ts';
import { type HttpRecordingOptions, numberOf, prepareHttpRecording } from '../../record/prepare-http-recording.ts';

interface Options extends HttpRecordingOptions, FaultOptions {
  http: string;
  listen: string;
  allowHost: string[];
  ca?: string;
  header: string[];
  connections: string;
  restartOn?: string;
  watch: string[];
}

/** Runs `mcp-record record --http URL -o FILE`: records a running server behind a reverse proxy, until a signal. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const upstream = parseUpstream(options.http, process.env);
  const given = await givenHeaders(options.http, options.header, process.env);
  const recording = await prepareHttpRecording(options, given);
  const recorder = recording.recorder(
    upstream,
    recordingDestination(options.output, [upstream.host.replaceAll(':', '-')]),
  );
  const ca = options.ca === undefined ? undefined : trustedCertificates(options.ca);
  const restarted =
    options.restartOn === undefined
      ? undefined
      : (await import('../../record/externally-restarted-server.ts')).externallyRestartedServer(
          { ...options, restartOn: options.restartOn },
          { upstream, ca },
        );
  const faults = await faultsOf(options, 'http');
  const way = await faultLayerFor(faults);
  const proxy = await startReverseProxy({
    upstream: await way.upstream(upstream, ca),
    listen: parseListenAddress(options.listen),
    allowed: options.allowHost,
    ...(ca && { ca }),
    headers: given.headers,
    env: process.env,
    connectionsMax: numberOf(options.connections, '--connections'),
    clock: systemClock,
    exchange: () => recorder.exchange(),
    aside: (origin) => recording.aside(origin),
    forward: restarted && ((exchange) => restarted.forward(exchange)),
    trouble: (error) => say(error.message),
  });
  const by = upstream.proxy ? `, by the proxy ${upstream.proxy.origin}` : '';
  const stopped = untilSignal();
  const address = `${upstream.origin}${upstream.path}`;
  // The client needs the exact path, so the path is printed unredacted.
  say(`listening on ${proxy.origin}${upstream.path} for ${recording.createRedactor?.().url(address) ?? address}${by}`);
  sayHowToEnd();

  await stopped;
  recorder.end('complete');
  const isDown = restarted?.isDown;
  restarted?.close();
  await proxy.close();
  await recording.end();
  const isShort = isDown || (faults !== undefined && fallsShort(faults, way.unfired(), options));
  process.exit(recording.fellShort() ? CASSETTE_FAILED : isShort ? EXIT.fellShort : EXIT.ok);
}
