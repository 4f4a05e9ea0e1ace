import type { Command } from 'commander';
import { systemClock } from '../../../kernel/clock.ts';
import { McpRecordError } from '../../../kernel/errors.ts';
import { HttpRecorder } from '../../../record/http/http-traffic-recorder.ts';
import { startReverseProxy } from '../../../transports/http/proxy/reverse-proxy.ts';
import { parseUpstream } from '../../../transports/http/upstream/parse-upstream.ts';
import { EXIT, fail, say } from '../../io/output.ts';
import { sayRecorded } from '../../io/print-recording-summary.ts';
import { recordingDestination } from '../../io/recording-destination.ts';
import { CASSETTE_FAILED, cassetteNotWritten } from '../../io/recording-failures.ts';
import { untilSignal } from '../../io/signals.ts';
import { sayHowToEnd } from '../../io/waiting-for-client-hint.ts';
import { parseTiming } from '../../options/delay-precision-option.ts';
import { faultLayerFor } from '../../options/fault-layer.ts';
import { type FaultOptions, fallsShort, faultsOf } from '../../options/fault-options.ts';
import { headersFrom } from '../../options/header-options.ts';
import { parseListenAddress } from '../../options/listen-address.ts';
import { tracedBy } from '../../options/otlp-option.ts';
import { type RedactionOptions, redactorFor, rulesFrom } from '../../options/redaction-options.ts';
import { trustedCertificates } from '../../options/trusted-certificates.ts';

interface Options extends RedactionOptions, FaultOptions {
  output: string;
  timing: string;
  http: string;
  listen: string;
  allowHost: string[];
  ca?: string;
  header: string[];
  idle: string;
  bodyLimit: string;
  sessions: string;
  connections: string;
  redact: boolean;
  restartOn?: string;
  watch: string[];
  otlp?: string | true;
}

const MILLISECONDS = 1000;
const MEGABYTE = 1024 * 1024;

/** Runs `mcp-record record --http URL -o FILE`: records a running server behind a reverse proxy, until a signal. */
export async function run(command: Command): Promise<number> {
  const options = command.opts<Options>();
  const { output } = options;
  const upstream = parseUpstream(options.http, process.env);
  const holdBytesMax = numberOf(options.bodyLimit, '--body-limit') * MEGABYTE;
  let fellShort = false;
  const fallShort = (error: McpRecordError) => {
    fellShort = true;
    fail(error);
  };
  const headers = headersFrom(options.header, process.env);
  const traced = await tracedBy(options.otlp);
  const createRedactor = await redactorFor(options.redact, await rulesFrom(options), headers);
  const cassettes = recordingDestination(output, [upstream.host.replaceAll(':', '-')]);
  const recorder = new HttpRecorder({
    ...(traced?.of(cassettes) ?? cassettes),
    clock: systemClock,
    gap: parseTiming(options.timing),
    redactor: createRedactor,
    failed: (error) => fallShort(cassetteNotWritten(output, error)),
    finished(path, redactor) {
      traced?.finished(path);
      sayRecorded(path, redactor);
    },
    upstream,
    idleMax: numberOf(options.idle, '--idle') * MILLISECONDS,
    sessionsMax: numberOf(options.sessions, '--sessions'),
    holdBytesMax,
    cut: (from) => fallShort(bodyTooLong(from, options.bodyLimit)),
  });
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
    headers,
    env: process.env,
    connectionsMax: numberOf(options.connections, '--connections'),
    clock: systemClock,
    exchange: () => recorder.exchange(),
    forward: restarted && ((exchange) => restarted.forward(exchange)),
    trouble: (error) => say(error.message),
  });
  const by = upstream.proxy ? `, by the proxy ${upstream.proxy.origin}` : '';
  const stopped = untilSignal();
  const address = `${upstream.origin}${upstream.path}`;
  // The client needs the exact path, so the path is printed unredacted.
  say(`listening on ${proxy.origin}${upstream.path} for ${createRedactor?.().url(address) ?? address}${by}`);
  sayHowToEnd();

  await stopped;
  recorder.end('complete');
  const isDown = restarted?.isDown;
  restarted?.close();
  await proxy.close();
  await traced?.end();
  const isShort = isDown || (faults !== undefined && fallsShort(faults, way.unfired(), options));
  process.exit(fellShort ? CASSETTE_FAILED : isShort ? EXIT.fellShort : EXIT.ok);
}

function numberOf(text: string, option: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new McpRecordError({
    code: 'USAGE_BAD_NUMBER',
    what: `Cannot take "${text}" for ${option}`,
    why: 'it is not a number above zero',
    next: 'Leave the option out for the usual limit.',
  });
}

function bodyTooLong(from: string, megabytes: string): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_BODY_TOO_LONG',
    what: `Cannot hold all of a message of the ${from}`,
    why: `it is longer than ${megabytes} MB`,
    next: 'It was passed on whole, and the cassette has its beginning. Raise --body-limit to keep longer ones.',
  });
}
