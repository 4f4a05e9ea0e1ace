/// <reference lib="esnext.disposable" preserve="true" />

import type { CassetteSource } from '../../cassette/cassette.ts';
import { pathOf } from '../../cassette/read/load-cassette.ts';
import type { Journal } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { type Clock, type Milliseconds, systemClock } from '../../kernel/clock.ts';
import { type ClientDescription, ClientSession, type RequestOptions } from '../../mock/client/mock-client-session.ts';
import { clientHandlers } from '../../mock/client/refuse-server-only-handlers.ts';
import { TransportFindings } from '../../mock/client/transport-findings.ts';
import type { Handler, Result } from '../../mock/handler.ts';
import { HandlerList } from '../../mock/handler-list.ts';
import type { RequestIds } from '../../mock/own-requests.ts';
import { checkOptions, validateApiOptions } from '../../modes/validate-api-options.ts';
import { JsonText } from '../../protocol/json-text.ts';
import type { Params } from '../../protocol/message.ts';
import { failureRedactor } from '../../record/redact-file/project-redactor.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { type Expectations, type ReplayOutcome, replayOutcome } from '../../replay/findings/replay-outcome.ts';
import { planClient } from '../../replay/plan/client-plan.ts';
import { STDIO_PROGRESS_GAP } from '../../replay/player/delay-response-after-progress.ts';
import { stripHttp } from '../../replay/prepare/strip-http.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { HttpFailure } from '../../verify/compare/classify-http-failure.ts';
import { finishOrDispose } from '../mock-server/raise-unread-failures.ts';
import { loadAndWarn } from '../test/print-test-notes.ts';
import { awaitAtEndOfTest } from '../test-end/await-forgotten-promises.ts';
import { openServerUnderTest, type TestedServer } from './open-server-under-test.ts';

export interface MockClientOptions
  extends ClientDescription,
    Pick<Expectations, 'onMiss' | 'onUnused' | 'onDifference'> {
  /** Server under test: a command, a URL, or a function in this process. */
  server: TestedServer;
  /** Handlers for the server's requests. The first matching handler answers. */
  handlers?: readonly Handler[];
  /** Cassette whose client answers requests without a handler. */
  cassette?: CassetteSource;
  /** Type of the request ids. Default: `number`, from 0, as clients of the official SDKs send them. */
  requestIds?: RequestIds;
  clock?: Clock;
}

/** Client connected to a server by a test. It ends with its scope. */
export interface MockClient extends AsyncDisposable {
  /** Description of the server: the result of `initialize` or `server/discover`. */
  readonly server: Result;
  /**
   * Sends a request, and resolves with its result. A signal cancels it.
   * @throws RpcFailure if the server answers with an error; McpRecordError MOCK_NO_ANSWER after the timeout
   */
  request(method: string, params?: Params, options?: RequestOptions): Promise<Result>;
  /** Sends a notification. */
  notify(method: string, params?: Params): void;
  /** Messages of the server, for assertions and waits. */
  journal: Journal;
  /**
   * Adds handlers that answer before all others and before the cassette.
   * @throws McpRecordError HANDLER_INVALID
   */
  use(...handlers: Handler[]): void;
  /** Removes all handlers except those of the options. */
  resetHandlers(): void;
  /** Ends the session and returns its outcome. Later calls return the same outcome. */
  finish(): Promise<ReplayOutcome>;
}

/** Maximum wait for the first event of HTTP with SSE. */
const ENDPOINT_WAIT_MAX: Milliseconds = 10_000;
/** Maximum wait for the HTTP response to a notification. It ends before the 5,000 ms that test runners allow a test. */
const RESPONSE_WAIT_MAX: Milliseconds = 3_000;
const OK = 0;
const STDERR_LINES = 20;

/**
 * Connects a mock client to a server under test. A test of Vitest that does not await it fails at its end if it cannot be
 * connected. Handlers answer the server's requests, then the client of the
 * cassette.
 * @throws McpRecordError SESSION_NO_SERVER, HANDLER_INVALID, and those of `loadCassette`; RpcFailure if the server
 * refuses the client
 */
export function mockClient(options: MockClientOptions): Promise<MockClient> {
  return awaitAtEndOfTest(connectMockClient(options), 'mockClient');
}

async function connectMockClient(given: MockClientOptions): Promise<MockClient> {
  const { server, ...options } = checkOptions(given);
  const {
    handlers: initial = [],
    cassette,
    requestIds,
    clock = systemClock,
    onMiss,
    onUnused,
    onDifference,
    ...description
  } = options;
  validateApiOptions({ ...options }, 'mock client', { areAll: true });
  const handlers = new HandlerList(clientHandlers(initial));
  const received = new MessageLog(clock);
  const findings: Finding[] = [];
  const events = cassette === undefined ? undefined : stripHttp(loadAndWarn(cassette)).events;
  /** Last lines of the server's standard error. */
  const stderr: string[] = [];
  let isLeaving = false;
  /** Whether the server closed its output before the client left. */
  let hasLeftFirst = false;
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  // Loads schemas, and only for tests that have a mock client.
  const { ServerMessageChecks } = await import('../../mock/client/server-message-checks.ts');
  const live = await openServerUnderTest(server, {
    // The server runs in real time, even if the test has a manual clock.
    clock: systemClock,
    patience: ENDPOINT_WAIT_MAX,
    responseWaitMax: RESPONSE_WAIT_MAX,
    failed: (error) => fail(error),
  });
  const say = (json: JsonText) => {
    received.addFromServer(json.value, {});
    live.send({ kind: 'message', at: clock.now(), from: 'client', json });
  };
  const isOrdered = typeof server === 'function' || !('url' in server);
  const report = (finding: Finding) => void findings.push(finding);
  const session = new ClientSession({
    handlers,
    description,
    requestIds,
    events,
    clock,
    progressGap: live.isProcess ? STDIO_PROGRESS_GAP : undefined,
    send: say,
    report,
    checksFor: (revision) => new ServerMessageChecks(revision, report, { isOrdered }),
  });
  const transport = new TransportFindings(live);
  const ended = new Promise<void>((resolve) => {
    live.begin(planClient([]), {
      receive(frame) {
        if (frame.kind === 'line' && frame.on === 'stderr') {
          stderr.push(String(frame.data));
          if (stderr.length > STDERR_LINES) stderr.shift();
        }
        if (frame.kind === 'line') transport.line(frame);
        if (frame.kind !== 'message') return;
        received.addFromClient(frame.json.value, {});
        session.receive(frame.json);
      },
      refuse: (id, failure) => session.receive(refusal(id, failure)),
      refusedMessage: (message, failure) => transport.refused(message, failure),
      closed() {
        hasLeftFirst = !isLeaving;
        // Ends the process to learn its exit status, which explains more than a closed output.
        live.close();
      },
      stop: (text) => report({ kind: 'thrown', text: `The session ended: ${text}.` }),
      failed: fail,
      ended(end) {
        const { exit } = end;
        const { status = OK } = exit ?? {};
        if (!hasLeftFirst && isLeaving) transport.ended(end, lastWords(stderr));
        else if (status !== OK)
          report({ kind: 'thrown', text: `The server ended with ${status}, before its client.${lastWords(stderr)}` });
        session.end(`The server has ended${exit ? ` with ${status}` : ''}, and has not answered.${lastWords(stderr)}`);
        resolve();
      },
    });
  });
  const said = await Promise.race([session.open(), failed]).catch((error: unknown) => {
    isLeaving = true;
    live.close();
    throw error;
  });
  let outcome: Promise<ReplayOutcome> | undefined;
  const finish = () => {
    outcome ??= leave();
    return outcome;
  };
  const leave = async () => {
    isLeaving = true;
    session.leave();
    live.close();
    await ended;
    findings.push(...session.brokenRules, ...transport.findings, ...handlers.takeFindings());
    return replayOutcome(findings, {
      ...(onMiss && { onMiss }),
      ...(onUnused && { onUnused }),
      ...(onDifference && { onDifference }),
    });
  };
  return {
    server: said,
    request: (method, params, options) => session.request(method, params, options),
    notify: (method, params) => session.notify(method, params),
    journal: received.journal,
    use: (...more) => handlers.use(clientHandlers(more)),
    resetHandlers: () => handlers.reset(),
    ...finishOrDispose({
      cassette: cassette === undefined ? '' : pathOf(cassette),
      journal: received.journal,
      finish,
      kind: 'client',
    }),
  };
}

/** Returns the server's last lines on standard error without secrets, to append to a sentence. */
function lastWords(stderr: readonly string[]): string {
  const safe = stderr.length === 0 ? '' : failureRedactor().text(stderr.join('\n'));
  return safe
    .split('\n')
    .map((line) => line && `\n    ${printable(line)}`)
    .join('');
}

/** Returns the JSON-RPC error for an HTTP response without an answer. `id` is a JSON token. */
function refusal(id: string, { words, next, code }: HttpFailure): JsonText {
  const message = `${words}. ${next} [${code}]`;
  return new JsonText(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: REFUSED, message })}}`);
}

/** Implementation-defined error code (JSON-RPC 2.0, "Error object"). */
const REFUSED = -32000;
