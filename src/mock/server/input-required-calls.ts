import { asMicrotask } from '../../kernel/clock.ts';
import { isObject, type Params, paramsOf, type Request } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { Result } from '../handler.ts';
import { isRetryOf, type OpenCall } from '../open-handler-call.ts';
import { reportingBad } from '../own-requests.ts';

/** Request of a handler to the client. */
export interface Asked {
  method: string;
  params: Params | undefined;
}

/**
 * Calls of clients of 2026-07-28 whose handlers ask the client. Their result is `input_required`, and the client makes
 * the call again with the answers (2026-07-28, "Multi round-trip requests").
 */
export class InputRequiredCalls {
  /** Calls waiting for the client's retry, by `requestState`. */
  readonly #calls = new Map<string, OpenCall>();
  readonly #report: (finding: Finding) => void;
  readonly #suspend: (call: OpenCall, result: Result) => boolean;
  #count = 0;

  /** @param suspend answers a call, and returns whether it was open */
  constructor(report: (finding: Finding) => void, suspend: (call: OpenCall, result: Result) => boolean) {
    this.#report = report;
    this.#suspend = suspend;
  }

  /** Sends a request to the client of a call. All requests of one microtask turn form one result. */
  ask(call: OpenCall, { method, params }: Asked, signal: AbortSignal): Promise<Result> {
    const key = `request-${++this.#count}`;
    const answer = new Promise<Result>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      const checked = reportingBad({ id: key, method, params }, this.#report, resolve);
      call.questions = [...call.questions, { key, method, params, resolve: checked, reject }];
    });
    if (call.questions.length === 1) asMicrotask(() => this.#send(call));
    return answer;
  }

  #send(call: OpenCall): void {
    const requestState = `mcp-record:mock:${++this.#count}`;
    const inputRequests = Object.fromEntries(
      call.questions.map(({ key, method, params }) => [key, { method, ...(params && { params }) }]),
    );
    const result = { resultType: 'input_required', inputRequests, requestState };
    this.#calls.set(requestState, call);
    if (!this.#suspend(call, result)) this.#calls.delete(requestState);
  }

  /** Returns the call that a request retries, which waits no more. */
  take(retry: Request): OpenCall | undefined {
    if (this.#calls.size === 0) return undefined;
    const state = String(paramsOf(retry).requestState);
    const call = this.#calls.get(state);
    this.#calls.delete(state);
    if (call !== undefined && !isRetryOf(retry, call.request)) {
      const [came, asked] = [retry, call.request].map(({ method, params }) => subjectOf(method, params));
      this.#report({ kind: 'differs', text: `${came} came as the retry of ${asked}, with other params.` });
    }
    return call;
  }

  /** Gives a call's handler the answers of the retry. */
  answer(call: OpenCall, retry: Request): void {
    const { inputResponses } = paramsOf(retry);
    const answers = isObject(inputResponses) ? inputResponses : {};
    const { questions } = call;
    call.questions = [];
    for (const { key, method, resolve, reject } of questions) {
      const answer = answers[key];
      if (isObject(answer)) resolve(answer);
      else reject(new Error(`The client has not answered ${method}.`));
    }
  }

  /** Ends the session: rejects the requests of all waiting calls, and returns the calls. */
  end(): OpenCall[] {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { method, reject } of calls.flatMap(({ questions }) => questions))
      reject(new Error(`The session has ended, and the client has not answered ${method}.`));
    return calls;
  }
}
