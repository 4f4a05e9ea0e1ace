import { ruleAsData } from '../../faults/rules/serialize-rule.ts';
import type { JournalEntry } from '../../journal/journal-entry.ts';
import { methodOf } from '../../journal/journal-entry.ts';
import { listEntries, waitAdvice } from '../../journal/wait-for.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { stallTolerantTimeout } from '../../kernel/stall-tolerant-timeout.ts';
import { unknownMethod } from '../../protocol/method-problem.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import { RpcFailure } from '../handler.ts';
import { BodyObject } from './body-object.ts';
import { badValue, unsupportedByServer } from './control-errors.ts';
import type { ControlledServer } from './controlled-server-types.ts';
import type { Failing, FailingRequests } from './failing-requests.ts';
import type { FaultHistory } from './fault-rules-and-firings.ts';
import { journalQueryParams } from './journal-params-pattern.ts';
import { type WrittenHandler, writtenHandlers } from './json-handlers.ts';
import { parseFaultBody } from './parse-fault-body.ts';
import { writtenError } from './written-error.ts';

export interface ServerControlOptions {
  server: ControlledServer;
  faults: FaultHistory;
  failing: FailingRequests;
  clock: Clock;
}

/** Default wait for a client's message. */
const TIMEOUT: Milliseconds = 5_000;

/** Maximum wait that a request may ask for. */
export const WAIT_MS_MAX: Milliseconds = 600_000;

/**
 * The operations of the control API on a mock server. Each method takes the parsed body of a request and returns the
 * body of the response.
 */
export class ServerControl {
  readonly #options: ServerControlOptions;
  #handlers: WrittenHandler[] = [];
  #hasFailed = false;

  constructor(options: ServerControlOptions) {
    this.#options = options;
  }

  /** Whether any check has failed since the start, across resets. */
  get hasFailed(): boolean {
    return this.#hasFailed || this.#options.server.outcome().failed;
  }

  health(): object {
    const { transport, cassette, url, protocol } = this.#options.server;
    return { ready: true, cassette, transport, ...(url !== undefined && { url }), protocol, pid: process.pid };
  }

  /**
   * Returns the messages of the clients, of one method or all.
   * @throws McpRecordError JOURNAL_BAD_QUERY for a method that no message can have
   */
  journal(method: string | undefined): object {
    const { entries } = this.#options.server.journal;
    if (method === undefined) return { entries };
    const found = entries.filter((entry) => methodOf(entry) === method);
    const problem = found.length === 0 ? unknownMethod(method) : undefined;
    if (problem === undefined) return { entries: found };
    const what = `Cannot look for ${method} in the journal`;
    throw new McpRecordError({ code: 'JOURNAL_BAD_QUERY', what, ...problem });
  }

  /**
   * Waits for a message of the client.
   * @throws McpRecordError WAIT_TIMED_OUT
   */
  async wait(body: unknown): Promise<{ entry: JournalEntry }> {
    const fields = new BodyObject({ value: body, path: [] }, ['method', 'params', 'count', 'timeoutMs']);
    const { journal } = this.#options.server;
    const [method, written, count] = [
      fields.text('method'),
      fields.object('params'),
      fields.whole('count', { min: 1 }),
    ];
    const timeout = timeoutOf(fields);
    const params = written && journalQueryParams(written, fields.at('params'));
    try {
      const wanted = { timeout, ...(params && { params }), ...(count !== undefined && { count }) };
      return { entry: await journal.waitFor(method, wanted) };
    } catch (error) {
      if (!(error instanceof McpRecordError)) throw error;
      const next = `${listEntries(journal.entries, method)} ${waitAdvice(method)}, or wait longer with "timeoutMs".`;
      throw new McpRecordError({ ...error.problem, next });
    }
  }

  findings(): object {
    return judgement(this.#options.server.outcome());
  }

  /**
   * Restarts the server, and returns the outcome up to now.
   * @throws McpRecordError CONTROL_NOT_HERE
   */
  reset(): object {
    const { server, faults, failing } = this.#options;
    if (server.reset === undefined)
      throw unsupportedByServer({
        what: 'Cannot reset a mock server over stdio',
        why: 'it has one session with the client that started it',
        next: 'Start a mock server for each test, or use --http. GET /findings says how it has gone so far.',
      });
    const outcome = server.reset(faults.initial);
    this.#hasFailed ||= outcome.failed;
    faults.restart();
    failing.clear();
    this.#handlers = [];
    return judgement(outcome);
  }

  faults(): object {
    const { rules, seed } = this.#options.faults.now;
    return { seed, faults: rules.map(ruleAsData), fired: this.#options.faults.fired };
  }

  async putFaults(body: unknown): Promise<object> {
    const { server, faults } = this.#options;
    const { rules, seed = faults.now.seed } = await parseFaultBody(body, server);
    faults.use({ rules, seed });
    server.useFaults(faults.now);
    return this.faults();
  }

  deleteFaults(): Promise<object> {
    return this.putFaults({ faults: [] });
  }

  handlers(): object {
    return {
      handlers: this.#handlers.map(({ written }) => written),
      answered: this.#handlers.map(({ answered }) => answered),
    };
  }

  putHandlers(body: unknown): object {
    const fields = new BodyObject({ value: body, path: [] }, ['handlers']);
    this.#handlers = writtenHandlers(fields.list('handlers'), this.#options.clock);
    const { handlers } = this.#options.server;
    handlers.resetHandlers();
    handlers.use(this.#handlers.map(({ handler }) => handler));
    handlers.use(this.#options.failing.handlers);
    return this.handlers();
  }

  deleteHandlers(): object {
    return this.putHandlers({ handlers: [] });
  }

  failNext(body: unknown): object {
    const fields = new BodyObject({ value: body, path: [] }, ['method', 'times', 'error', 'status']);
    const { server, failing } = this.#options;
    const method = fields.method('method');
    const [times = 1, answer] = [fields.whole('times', { min: 1 }), failureOf(fields)];
    if ('status' in answer && server.transport !== 'http')
      throw unsupportedByServer({
        what: 'Cannot answer with a status of HTTP',
        why: 'this mock server speaks over stdio',
        next: 'Send "error": { "code": -32603, "message": "…" }.',
      });
    server.handlers.use(failing.add({ method, times, answer }));
    return { method, times };
  }

  /**
   * Ends every session, and returns their number.
   * @throws McpRecordError CONTROL_NOT_HERE
   */
  expireSessions(): object {
    const expired = this.#options.server.expireSessions?.();
    if (expired !== undefined) return { expired };
    const isStdio = this.#options.server.transport === 'stdio';
    throw unsupportedByServer({
      what: 'Cannot end the sessions of this mock server',
      why: isStdio ? 'over stdio a session lasts as long as the process' : 'its cassette has none, as since 2026-07-28',
      next: isStdio ? 'End the process.' : 'Use POST /fail-next with a status, or a fault of docs/faults.md.',
    });
  }

  notify(body: unknown): object {
    const fields = new BodyObject({ value: body, path: [] }, ['method', 'params']);
    const method = fields.method('method', 'notification');
    return { sessions: this.#options.server.handlers.notify(method, fields.object('params')) };
  }

  /**
   * Sends a request to the client, and returns its answer.
   * @throws McpRecordError MOCK_NO_CLIENT, MOCK_CANNOT_ASK, CONTROL_NO_ANSWER
   */
  async request(body: unknown): Promise<object> {
    const fields = new BodyObject({ value: body, path: [] }, ['method', 'params', 'timeoutMs']);
    const [method, params, timeout] = [fields.method('method'), fields.object('params'), timeoutOf(fields)];
    const answer = this.#options.server.handlers.ask(method, params, { timeout: Number.POSITIVE_INFINITY }).then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof McpRecordError) throw advised(error);
        if (!(error instanceof RpcFailure)) throw noAnswer(method, messageOf(error));
        const { code, message, data } = error;
        return { error: { code, message, ...(data !== undefined && { data }) } };
      },
    );
    return within(answer, { clock: this.#options.clock, timeout, method });
  }
}

function timeoutOf(fields: BodyObject): Milliseconds {
  return fields.whole('timeoutMs', { max: WAIT_MS_MAX }) ?? TIMEOUT;
}

function failureOf(fields: BodyObject): Failing['answer'] {
  if (fields.has('error') === fields.has('status'))
    throw badValue([], {
      why: 'it has either "error" or "status"',
      next: 'Send "error": { "code": -32603, "message": "busy" }.',
    });
  if (fields.has('error')) return { error: writtenError({ value: fields.members.error, path: fields.at('error') }) };
  return { status: fields.whole('status', { min: 400, max: 599 })! };
}

/** Returns the outcome as JSON, with a mark on each finding that fails the test. */
function judgement({ findings, failures, failed }: ReplayOutcome): object {
  const failing = new Set(failures);
  return {
    failed,
    findings: findings.map((finding) => {
      const { kind, text, expected, actual, varies } = finding;
      const known = Object.entries({ expected, actual, varies }).filter(([, value]) => value !== undefined);
      return { kind, text, fails: failing.has(finding), ...Object.fromEntries(known) };
    }),
  };
}

interface Wait {
  clock: Clock;
  timeout: Milliseconds;
  method: string;
}

/**
 * Resolves with the client's answer, or rejects after the timeout.
 * @throws McpRecordError CONTROL_NO_ANSWER
 */
function within<Value>(answer: Promise<Value>, { clock, timeout, method }: Wait): Promise<Value> {
  return new Promise((resolve, reject) => {
    const why = `the client has not answered within ${timeout} ms`;
    const stop = stallTolerantTimeout(clock, timeout, () => reject(noAnswer(method, why)));
    answer.then(resolve, reject).finally(stop);
  });
}

function noAnswer(method: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'CONTROL_NO_ANSWER',
    what: `Cannot give the answer to ${method}`,
    why,
    next: 'See that the client listens and answers, or wait longer with "timeoutMs".',
  });
}

/** Advice on handler errors, for callers of the control API, who cannot pass functions. */
const ADVICE: Readonly<Record<string, string>> = {
  MOCK_NO_CLIENT:
    'Connect a client first, and wait for it: POST /journal/wait with "method": "notifications/initialized".',
  MOCK_CANNOT_ASK: 'Put a handler of the call that returns "resultType": "input_required" with "inputRequests".',
};

function advised({ problem }: McpRecordError): McpRecordError {
  return new McpRecordError({ ...problem, next: ADVICE[problem.code] ?? problem.next });
}
