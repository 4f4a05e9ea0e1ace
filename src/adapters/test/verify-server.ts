import type { Cassette } from '../../cassette/cassette.ts';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import type { ExitFrame } from '../../channel/frame.ts';
import { memoryPair } from '../../channel/memory-pair.ts';
import { type Clock, type Milliseconds, systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { Pointer } from '../../match/ignore-rules.ts';
import { checkOptions } from '../../modes/check-options.ts';
import { connectToServer, credentialSources, type Server } from '../../modes/connect-to-server.ts';
import { createRedactor } from '../../redact/redactor.ts';
import { checkPlayable } from '../../replay/findings/unplayable-findings.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import type { Timing } from '../../replay/timing.ts';
import { failedSteps, type Outcome } from '../../text-report/outcome-model.ts';
import { parseUpstream } from '../../transports/http/upstream/upstream.ts';
import { compareSession } from '../../verify/compare/compare-session.ts';
import { redactOutcome } from '../../verify/compare/redact-outcome.ts';
import { checkRequests } from '../../verify/run/check-requests.ts';
import { liveHttpServer } from '../../verify/run/live-http-server.ts';
import type { LiveEvents, LiveServer } from '../../verify/run/live-server.ts';
import { liveStdioServer } from '../../verify/run/live-stdio-server.ts';
import { runRecordedClient } from '../../verify/run/run-recorded-client.ts';
import { type SdkTransport, serverTransport } from '../sdk/sdk-transport.ts';
import { serverDiffersError } from './server-differs-error.ts';

/** A server in this process: connects it to `transport`, e.g. `(transport) => server.connect(transport)`. */
export type ConnectServer = (transport: SdkTransport) => Promise<void> | void;

/** The server that a recorded client is played to. */
export type TestedServer = Server | ConnectServer;

export interface VerifyOptions {
  /** JSON Pointers into messages that do not count, beside what is always volatile. */
  ignore?: readonly Pointer[];
  /** When the recorded client speaks. Default: `instant`. */
  timing?: Timing;
  /** Sends requests to other paths, and headers, that MCP does not need. Otherwise they are an error. */
  otherRequests?: boolean;
  /** How long to wait for an answer or notification. Default: 10,000. */
  patience?: Milliseconds;
  /** A slower answer fails. */
  timeMax?: Milliseconds;
  /** Fails notifications that the cassette does not have. Default: a note. */
  strict?: boolean;
  clock?: Clock;
}

/**
 * Plays the recorded client of a cassette to a live server, and compares what it says with the cassette.
 * @throws McpRecordError where the server was never there, CASSETTE_UNPLAYABLE, and those of `loadCassette`
 */
export async function playClient(file: string, server: TestedServer, options: VerifyOptions = {}): Promise<Outcome> {
  checkOptions(options);
  const {
    ignore = [],
    timing = 'instant',
    patience = PATIENCE,
    timeMax,
    strict = false,
    otherRequests = false,
    clock = systemClock,
  } = options;
  const cassette = loadCassette(file);
  checkPlayable(cassette);
  const driven = await played(cassette, server, { ignore, timing, patience, clock, otherRequests });
  const outcome = compareSession({ file, driven, ignore, strict, ...(timeMax !== undefined && { timeMax }) });
  return redactOutcome(
    outcome,
    createRedactor(credentialSources(typeof server === 'function' ? undefined : server)).json,
  );
}

/**
 * The same, and what differs fails.
 * @throws McpRecordError SESSION_DIFFERS, with what was recorded and what came as `expected` and `actual`
 */
export async function verifyServer(file: string, server: TestedServer, options: VerifyOptions = {}): Promise<Outcome> {
  const outcome = await playClient(file, server, options);
  const failed = failedSteps(outcome);
  if (failed.length > 0) throw serverDiffersError(outcome, failed);
  return outcome;
}

const PATIENCE: Milliseconds = 10_000;

type PlayOptions = Required<Pick<VerifyOptions, 'ignore' | 'timing' | 'patience' | 'clock' | 'otherRequests'>>;

function played(cassette: Cassette, server: TestedServer, options: PlayOptions): ReturnType<typeof runRecordedClient> {
  const { clock, patience } = options;
  if (typeof server === 'function')
    return runRecordedClient({ ...options, cassette: stripHttp(cassette), server: inMemory(server, clock) });
  if ('url' in server) {
    if (!options.otherRequests) checkRequests(cassette, 'otherRequests: true');
    const upstream = parseUpstream(server.url);
    const headers = { ...server.headers };
    return runRecordedClient({
      ...options,
      cassette,
      server: liveHttpServer({ upstream, headers, clock, patience }),
    });
  }
  return new Promise((resolve, reject) => {
    connectToServer(server, { clock, started() {}, failed: reject })
      .then((channel) => runRecordedClient({ ...options, cassette, server: liveStdioServer(channel, clock) }))
      .then(resolve, reject);
  });
}

/** A live server in this process. */
function inMemory(connect: ConnectServer, clock: Clock): LiveServer {
  const [near, far] = memoryPair();
  const exit: ExitFrame = { kind: 'exit', at: clock.now(), from: 'server', status: 0 };
  let isOver = false;
  let told: LiveEvents;
  const end = () => {
    if (isOver) return;
    isOver = true;
    told.ended({ exit, killed: false });
  };
  return {
    isProcess: false,
    begin(_score, events) {
      told = events;
      near.listen((frame) => {
        if (frame.kind === 'message' || frame.kind === 'line') events.hear(frame);
        if (frame.kind !== 'close') return;
        events.closed();
        end();
      });
      Promise.resolve()
        .then(() => connect(serverTransport(far)))
        .catch((error) => events.failed(cannotConnect(error)));
    },
    say: (frame) => void near.send(frame),
    close() {
      near.send({ kind: 'close', at: clock.now(), from: 'client' });
      clock.endOfTurn(end);
    },
  };
}

function cannotConnect(error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'SESSION_NO_SERVER',
    what: 'Cannot connect the server to the recorded client',
    why: error instanceof Error ? error.message : String(error),
    next: 'Give a function that connects it: (transport) => server.connect(transport).',
    cause: error,
  });
}
