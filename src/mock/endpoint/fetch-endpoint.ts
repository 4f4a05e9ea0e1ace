import type { CassetteSource } from '../../cassette/cassette.ts';
import { cassetteOf } from '../../cassette/read/load-cassette.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { HttpMessageLog } from '../../journal/http-message-log.ts';
import { type Journal, requestsOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { unguessable } from '../../kernel/random.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { secretMasks } from '../../modes/replay-server.ts';
import { rewordForTest } from '../../modes/reword-ignore-advice.ts';
import { validateApiOptions } from '../../modes/validate-api-options.ts';
import { parseJson } from '../../protocol/json-text.ts';
import type { Request as RpcRequest } from '../../protocol/message.ts';
import type { RepeatOption } from '../../protocol/method-table.ts';
import { projectRedactor } from '../../record/redact-file/project-redactor.ts';
import type { RedactedValue } from '../../record/summary/redacted-values.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { type Expectations, type ReplayOutcome, replayOutcome } from '../../replay/findings/replay-outcome.ts';
import { unusedByAll } from '../../replay/findings/unused-entries.ts';
import { httpCassettes } from '../../replay/http/http-cassette.ts';
import { type HttpHandler, HttpMockHandler } from '../../replay/http/http-mock-handler.ts';
import type { ResponseMode } from '../../replay/http/post-answer.ts';
import type { PlayedRun } from '../../replay/player/player-options.ts';
import { discoverResponseFromProbe } from '../../replay/prepare/recorded-discover.ts';
import type { Timing } from '../../replay/timing.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { Handler } from '../handler.ts';
import { ServerHandlers } from '../server/handlers-and-sessions.ts';
import type { ServerDescription } from '../server/server-fallback-answers.ts';
import { handleFetch } from './fetch-handler.ts';
import { observeReply } from './log-http-reply.ts';
import { EndedEndpoint } from './refuse-after-end.ts';

export interface EndpointOptions extends Expectations {
  timing?: Timing;
  /** Values ignored when a live request is compared with recorded requests, in addition to volatile values. */
  ignore?: readonly Ignore[];
  /**
   * Reuse of recorded answers, for all methods or by method: `once`, `last` or `cycle`. Default: `once` for calls,
   * `last` for lists and polls.
   */
  repeat?: RepeatOption;
  clock?: Clock;
  /** Handlers that answer before the cassette. The first matching handler answers. */
  handlers?: readonly Handler[];
}

/** Outcome of an endpoint's run. */
export interface EndpointOutcome extends ReplayOutcome {
  /** Path of the recorded cassette, if one was written. */
  written?: string;
  /** Path of a failed run's recording. The cassette itself is unchanged. */
  kept?: string;
  /** Redacted values by place. Absent with `redact: false` or without a recording. */
  redacted?: readonly RedactedValue[];
  /** Sentences that describe the recording, its redactions and the next step. */
  notes?: readonly string[];
}

/** An MCP endpoint that takes requests as `Request` objects, for any number of clients. */
export interface FetchEndpoint {
  /** Path of the cassette. */
  cassette: string;
  /** Mode in effect, derived from the requested mode. */
  mode: 'replay' | 'record' | 'passthrough';
  /** Answers a request as `fetch` would. After the end of the endpoint, answers 410 with ENDPOINT_ENDED. */
  fetch(request: Request): Promise<Response>;
  /** Returns the JSON-RPC requests of clients, in order. */
  received(method?: string): RpcRequest[];
  /** Client messages, for assertions and waits. */
  journal: Journal;
  /**
   * Adds handlers that answer before all others and before the cassette. Of these, the first matching one answers.
   * Handlers are not called while the real server is recorded.
   * @throws McpRecordError HANDLER_INVALID
   */
  use(...handlers: Handler[]): void;
  /** Removes all handlers except those of the options. */
  resetHandlers(): void;
  /**
   * Ends every session. A recording becomes the cassette, unless the run failed. Later calls return the same outcome,
   * with a finding for each request received after the end.
   * @throws McpRecordError CASSETTE_NOT_WRITTEN
   */
  finish(run?: { passed: boolean }): EndpointOutcome;
  /**
   * Restarts for the next test: ends sessions, clears received messages and findings, and marks every recorded request
   * as unused. A recording in progress is kept and continued.
   */
  reset(): void;
  /** Whether the endpoint has ended, unless `reset` restarted it. */
  readonly hasEnded: boolean;
  /** Whether its mode may record. Default: false. */
  readonly canRecord?: boolean;
}

/** The MCP endpoint of a recorded server. Each client's session starts at the beginning of a cassette. */
export interface Endpoint extends FetchEndpoint {
  /** Serves one request whose body is already read. */
  serve: HttpHandler;
  /** Notes a fault injected into a message between a client and this endpoint. */
  faulted(fired: Fired): void;
  /** As {@link HttpMockHandler.strayed}. */
  strayed: HttpMockHandler['strayed'];
  handlers: ServerHandlers;
  /** Returns the outcome so far. The sessions continue, and more requests may arrive. */
  outcome(): EndpointOutcome;
  /** As {@link HttpMockHandler.expireSessions}. */
  expireSessions(): number | undefined;
  /** As {@link HttpMockHandler.hasSse}. */
  readonly hasSse: boolean;
}

/** The cassettes that an endpoint plays. Absent: the cassette of the endpoint's own path. */
export interface PlayedCassettes {
  /** Cassettes or their paths. Each session plays one. */
  files: readonly CassetteSource[];
  /** Description of a server without a cassette. Its handlers answer every request. */
  description?: ServerDescription;
  /** As {@link HttpMockHandlerOptions.responseMode}. */
  responseMode?: ResponseMode | undefined;
  /**
   * Called with each finding as soon as it occurs, worded for the command line. Absent: findings are worded for a test.
   */
  report?(finding: Finding): void;
  /** Called with each recorded frame that is sent to a client. */
  sent?(recorded: SessionEntry): void;
}

/**
 * Opens an endpoint that plays a recorded server over Streamable HTTP, without a socket. Each session plays one of the
 * cassettes.
 * @throws McpRecordError those of `loadCassette`
 */
export function openEndpoint(
  file: string,
  options: EndpointOptions = {},
  { files, description, responseMode, report, sent }: PlayedCassettes = { files: [file] },
): Endpoint {
  validateApiOptions(options, 'endpoint');
  const { timing = 'instant', ignore = [], clock = systemClock, repeat } = options;
  const cassettes = files.map(cassetteOf);
  const events = cassettes.flatMap((cassette) => cassette.events);
  const initial = options.handlers ?? [];
  const handlers = new ServerHandlers({ handlers: initial, description, recorded: () => events, clock });
  const played = cassettes.flatMap((cassette) => httpCassettes(cassette, discoverResponseFromProbe(cassette.file)));
  const alike = [...ignore, ...secretMasks(events, () => projectRedactor({ env: process.env }))];
  const received = new MessageLog(clock);
  const sessions = new HttpMessageLog(received);
  const issued = new Set<string>();
  const begin = (): Round => {
    const findings: Finding[] = [];
    const runs: PlayedRun[] = [];
    const found = (finding: Finding) => {
      if (finding.kind === 'unused') return;
      findings.push(report ? finding : rewordForTest(finding));
      report?.(finding);
    };
    const server = new HttpMockHandler({
      cassettes: played,
      clock,
      timing,
      repeat,
      hasFaults: true,
      responseMode,
      ignore: alike,
      report: found,
      finished: (run) => runs.push(run),
      newSession: unguessable,
      needsRevisionHeader: description !== undefined,
      issued,
      isHandled: handlers.isHandled,
      intercept: (play) => handlers.player(sent ? observed(play, sent) : play, found),
    });
    return { server, found, findings, runs, afterEnd: new EndedEndpoint(file), outcome: undefined };
  };
  let round = begin();
  const serve: HttpHandler = (request, reply) => {
    const { server, outcome, afterEnd } = round;
    if (outcome) {
      reply.answer(afterEnd.refuse(request));
      return () => {};
    }
    const exchange = sessions.startExchange(request.headers, parseJson(request.body));
    return server.serve(request, observeReply(reply, exchange));
  };
  const unused = (runs: readonly PlayedRun[]) =>
    description === undefined ? played.flatMap((one) => unusedByAll(one, runs)) : [];
  const outcome = () => {
    const { server, findings, runs, afterEnd, outcome } = round;
    if (outcome) return withLate(outcome, afterEnd);
    return replayOutcome([...findings, ...handlers.openFindings, ...unused([...runs, ...server.runs])], options);
  };
  const finish = () => {
    const { server, found, findings, runs, afterEnd, outcome } = round;
    if (outcome) return withLate(outcome, afterEnd);
    handlers.end(found);
    server.end();
    findings.push(...unused(runs));
    round.outcome = replayOutcome(findings, options);
    return round.outcome;
  };
  return {
    cassette: file,
    mode: 'replay',
    serve,
    faulted: (fired) => round.server.faulted(fired),
    strayed: (request, path) => round.server.strayed(request, path),
    handlers,
    fetch: (request) => handleFetch(request, serve),
    received: (method) => requestsOf(received.journal, method),
    journal: received.journal,
    use: (...more) => handlers.use(more),
    resetHandlers: () => handlers.resetHandlers(),
    finish,
    outcome,
    expireSessions: () => round.server.expireSessions(),
    get hasSse() {
      return round.server.hasSse;
    },
    reset() {
      const { outcome, afterEnd } = round;
      const isJudged = outcome !== undefined && afterEnd.findings.length === 0;
      // A test that sent no request need not check the outcome.
      if (!isJudged && received.journal.requests().length > 0) warnOfDropped(file, finish());
      handlers.end();
      round.server.end();
      handlers.restart();
      round = begin();
      received.journal.reset();
      sessions.reset();
    },
    get hasEnded() {
      return round.outcome !== undefined;
    },
  };
}

type Play = Parameters<ServerHandlers['player']>[0];

/** Returns `play`, whose player tells of each recorded frame that it sends. */
function observed(play: Play, sent: (recorded: SessionEntry) => void): Play {
  return ({ send }) =>
    play({
      send(frame, recorded) {
        if (recorded) sent(recorded);
        send(frame, recorded);
      },
    });
}

/** Warns on standard error about failures that `reset()` discards unread. */
function warnOfDropped(file: string, { failures }: EndpointOutcome): void {
  const [first] = failures;
  if (first === undefined) return;
  const count = formatCount(failures.length, 'finding');
  const said = `${file}: reset() drops ${count} that would fail the test. Look at finish() before: expect(mock.finish().failures).toEqual([]).`;
  console.warn(`mcp-record: ${printable(said)}\n  ${printable(first.text)}`);
}

/** State between one `reset` and the next. */
interface Round {
  server: HttpMockHandler;
  /** Adds a finding. */
  found(finding: Finding): void;
  findings: Finding[];
  runs: PlayedRun[];
  afterEnd: EndedEndpoint;
  outcome: EndpointOutcome | undefined;
}

/** Returns the outcome with findings for late requests, or the same object without any. */
export function withLate(outcome: EndpointOutcome, { findings }: EndedEndpoint): EndpointOutcome {
  if (findings.length === 0) return outcome;
  const failures = [...outcome.failures, ...findings];
  return { ...outcome, findings: [...outcome.findings, ...findings], failed: true, failures };
}

/** Returns the error of a fixture that was given something else than an endpoint. */
export function notAnEndpoint(): McpRecordError {
  return new McpRecordError({
    code: 'OPTION_BAD_VALUE',
    what: 'Cannot end it with the test: mcp.own()',
    why: 'it is no endpoint',
    next: 'Give what mswEndpoint, nockEndpoint or playwrightEndpoint returns. For a mock server, call mcp.server(…) or finish().',
  });
}
