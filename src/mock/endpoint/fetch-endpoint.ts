import { existsSync } from 'node:fs';
import type { CassetteSource } from '../../cassette/cassette.ts';
import { cassetteOf, loadCassette } from '../../cassette/read/load-cassette.ts';
import { probeName } from '../../cassette/write/cassette-names.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { HttpMessageLog, parseJson } from '../../journal/http-message-log.ts';
import { type Journal, requestsOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { unguessable } from '../../kernel/random.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { checkOptions } from '../../modes/check-options.ts';
import { secretMasks } from '../../modes/replay-server.ts';
import { wordedForTest } from '../../modes/reword-ignore-advice.ts';
import type { Request as RpcRequest } from '../../protocol/message.ts';
import type { RepeatOption } from '../../protocol/method-rules.ts';
import type { RedactedValue } from '../../record/summary/redacted-values.ts';
import { createRedactor } from '../../redact/redactor.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { type Expectations, type ReplayOutcome, replayOutcome } from '../../replay/findings/replay-outcome.ts';
import { unusedByAll } from '../../replay/findings/unused-entries.ts';
import { httpCassettes } from '../../replay/http/http-cassette.ts';
import { type HttpHandler, HttpMockServer } from '../../replay/http/http-mock-server.ts';
import { discoverResponseIn, type ResultOrError } from '../../replay/match/protocol-generation.ts';
import type { PlayedRun } from '../../replay/player/player-options.ts';
import type { Timing } from '../../replay/timing.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { Handler } from '../handler.ts';
import type { ServerDescription } from '../server/server-defaults.ts';
import { ServerHandlers } from '../server/server-handlers.ts';
import { EndedEndpoint } from './ended-endpoint.ts';
import { handleFetch } from './fetch-handler.ts';
import { observeReply } from './observe-reply.ts';

export interface EndpointOptions extends Expectations {
  timing?: Timing;
  /** What does not count when a live request is compared with the recorded ones, beside the volatile. */
  ignore?: readonly Ignore[];
  /** How often recorded answers serve, for all methods or by method: `once`, `last` or `cycle`. Absent: calls once, lists and polls the last one again. */
  repeat?: RepeatOption;
  clock?: Clock;
  /** Answer before the cassette; of those that fit a request the last one. */
  handlers?: readonly Handler[];
}

/** How it went with an endpoint. */
export interface EndpointOutcome extends ReplayOutcome {
  /** The cassette, where it was recorded. */
  written?: string;
  /** Recording of a failed run. The cassette itself is unchanged. */
  kept?: string;
  /** Redacted values by place. Absent with `redact: false` or without a recording. */
  redacted?: readonly RedactedValue[];
  /** Sentences on the recording, its redactions and the next step. */
  notes?: readonly string[];
}

/** An MCP endpoint whose requests are handed to it, for any number of clients. */
export interface FetchEndpoint {
  /** Path of the cassette. */
  cassette: string;
  /** What was asked for, and came to hold here. */
  mode: 'replay' | 'record' | 'passthrough';
  /** Answers a request as `fetch` would have it answered; once the endpoint has ended, with 410 and ENDPOINT_ENDED. */
  fetch(request: Request): Promise<Response>;
  /** The JSON-RPC requests that clients have made, in order. */
  received(method?: string): RpcRequest[];
  /** Messages of clients, for assertions and waits. */
  journal: Journal;
  /**
   * Handlers that answer before all others and before the cassette; of those that fit a request the last one. While the real
   * server is recorded, it answers.
   * @throws McpRecordError HANDLER_INVALID
   */
  use(...handlers: Handler[]): void;
  /** Leaves the handlers of the options. */
  resetHandlers(): void;
  /**
   * Ends every session; what was recorded becomes the cassette, unless the run did not pass. Later calls give the same
   * outcome, with what was asked of the endpoint after its end, which fails.
   * @throws McpRecordError CASSETTE_NOT_WRITTEN
   */
  finish(run?: { passed: boolean }): EndpointOutcome;
  /**
   * Begins anew, for the next test: sessions end, what was received and found is forgotten, and every recorded request counts
   * as not yet used. What is being recorded stays, and is added to.
   */
  reset(): void;
  /** It has ended, and was not reset. */
  readonly hasEnded: boolean;
  /** Whether its mode could be one that records. Default: false. */
  readonly canRecord?: boolean;
}

/** The MCP endpoint of a recorded server: each client hears it from the beginning of a cassette. */
export interface Endpoint extends FetchEndpoint {
  /** Serves one request, read whole. */
  serve: HttpHandler;
  /** A fault was injected into a message between a client and this endpoint. */
  faulted(fired: Fired): void;
  handlers: ServerHandlers;
  /** Says how it has gone so far, and ends nothing: a request that has not come may still come. */
  outcome(): EndpointOutcome;
  /** As {@link HttpMockServer.expireSessions}. */
  expireSessions(): number | undefined;
  /** As {@link HttpMockServer.hasSse}. */
  readonly hasSse: boolean;
}

/** What an endpoint plays. Absent: its own cassette. */
export interface PlayedCassettes {
  /** Cassettes, or their paths: each session is given one. */
  files: readonly CassetteSource[];
  /** Of a server without a cassette, whose handlers answer everything. */
  description?: ServerDescription;
  /** Called at once with each finding, in the words of the command line. Absent: findings are worded for a test. */
  report?(finding: Finding): void;
}

/**
 * The recorded server over Streamable HTTP, without a socket. Of several cassettes each session is given one.
 * @throws McpRecordError those of `loadCassette`
 */
export function openEndpoint(
  file: string,
  options: EndpointOptions = {},
  { files, description, report }: PlayedCassettes = { files: [file] },
): Endpoint {
  checkOptions(options);
  const { timing = 'instant', ignore = [], clock = systemClock, repeat } = options;
  const handlers = new ServerHandlers({ handlers: options.handlers ?? [], description, clock });
  const cassettes = files.map(cassetteOf);
  const events = cassettes.flatMap((cassette) => cassette.events);
  const played = cassettes.flatMap((cassette) => httpCassettes(cassette, probeOf(cassette.file)));
  const alike = [...ignore, ...secretMasks(events, () => createRedactor({ env: process.env }))];
  const received = new MessageLog(clock);
  const sessions = new HttpMessageLog(received);
  const begin = (): Round => {
    const findings: Finding[] = [];
    const runs: PlayedRun[] = [];
    const found = (finding: Finding) => {
      if (finding.kind === 'unused') return;
      findings.push(report ? finding : wordedForTest(finding));
      report?.(finding);
    };
    const server = new HttpMockServer({
      cassettes: played,
      clock,
      timing,
      repeat,
      hasFaults: true,
      ignore: alike,
      report: found,
      finished: (run) => runs.push(run),
      newSession: unguessable,
      isHandled: handlers.isHandled,
      intercept: (play) => handlers.player(play, found),
    });
    return { server, findings, runs, afterEnd: new EndedEndpoint(file), outcome: undefined };
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
    return replayOutcome([...findings, ...unused([...runs, ...server.runs])], options);
  };
  const finish = () => {
    const { server, findings, runs, afterEnd, outcome } = round;
    if (outcome) return withLate(outcome, afterEnd);
    handlers.end();
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
      // A test that asks nothing of the endpoint need not judge it.
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

/** Says on standard error what fails a test and nobody has looked at. */
function warnOfDropped(file: string, { failures }: EndpointOutcome): void {
  const [first] = failures;
  if (first === undefined) return;
  const count = formatCount(failures.length, 'finding');
  const said = `${file}: reset() drops ${count} that would fail the test. Look at finish() before: expect(mock.finish().failures).toEqual([]).`;
  console.warn(`mcp-record: ${printable(said)}\n  ${printable(first.text)}`);
}

/** What passes from one `reset` to the next. */
interface Round {
  server: HttpMockServer;
  findings: Finding[];
  runs: PlayedRun[];
  afterEnd: EndedEndpoint;
  outcome: EndpointOutcome | undefined;
}

/** Returns the outcome with requests that came after it, or the same object if there were none. */
export function withLate(outcome: EndpointOutcome, { findings }: EndedEndpoint): EndpointOutcome {
  if (findings.length === 0) return outcome;
  const failures = [...outcome.failures, ...findings];
  return { ...outcome, findings: [...outcome.findings, ...findings], failed: true, failures };
}

/** What the server said to the process that a probing client started before the session, if its cassette lies beside. */
function probeOf(file: string): ResultOrError | undefined {
  const probe = probeName(file);
  return existsSync(probe) ? discoverResponseIn(loadCassette(probe).events) : undefined;
}
