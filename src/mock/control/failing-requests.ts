import { STATUS_CODES } from 'node:http';
import { STATUS_HEADERS } from '../../faults/support/status-headers.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { parseJson } from '../../protocol/json-text.ts';
import { isRequest, type RpcError } from '../../protocol/message.ts';
import type { HttpHandler } from '../../replay/http/http-mock-handler.ts';
import { type Handler, RpcFailure } from '../handler.ts';
import { wholeResult } from '../handler-value-to-result.ts';

/** A number of upcoming requests of one method that will fail. */
export interface Failing {
  method: string;
  /** Number of requests to fail. */
  times: number;
  /** Number of requests failed so far. */
  failed: number;
  answer: { error: RpcError } | { status: number };
}

/** Upcoming requests that get an error as their answer, in the order of the `fail-next` calls. */
export class FailingRequests {
  #all: Failing[] = [];
  /** Handlers that fail requests with a JSON-RPC error, by method. */
  readonly #handlers = new Map<string, Handler>();

  /** Adds failing requests. Returns the method's handler if it is new. This handler goes before all others. */
  add(failing: Omit<Failing, 'failed'>): Handler[] {
    const { method, answer } = failing;
    this.#all.push({ ...failing, failed: 0 });
    if ('status' in answer || this.#handlers.has(method)) return [];
    const handler = this.#handlerOf(method);
    this.#handlers.set(method, handler);
    return [handler];
  }

  clear(): void {
    this.#all = [];
    this.#handlers.clear();
  }

  /** Returns a sentence for each pending failure. */
  readonly unmet = (): string[] =>
    this.#all.flatMap(({ method, times, failed }) =>
      failed === times ? [] : [`${formatCount(times, 'request')} of ${method} should have failed: ${failed} came.`],
    );

  /** Handlers that fail requests with a JSON-RPC error. They go before all others. */
  get handlers(): Handler[] {
    return [...this.#handlers.values()];
  }

  /** Answers requests that fail with an HTTP status, before the endpoint receives them. */
  readonly intercept =
    (serve: HttpHandler): HttpHandler =>
    (request, reply) => {
      const status = request.method === 'POST' ? this.#takeStatus(request.body) : undefined;
      if (status === undefined) return serve(request, reply);
      const headers = { 'content-type': 'text/plain', ...STATUS_HEADERS[status] };
      reply.answer({ status, headers, body: `${STATUS_CODES[status] ?? status}\n` });
      return () => {};
    };

  #next(method: string): Failing | undefined {
    return this.#all.find((one) => one.method === method && one.failed < one.times);
  }

  #takeStatus(body: string): number | undefined {
    if (!this.#all.some(({ answer, failed, times }) => 'status' in answer && failed < times)) return undefined;
    const methods = [parseJson(body)].flat().flatMap((one) => (isRequest(one) ? [one.method] : []));
    for (const method of methods) {
      const next = this.#next(method);
      if (next === undefined || !('status' in next.answer)) continue;
      next.failed++;
      return next.answer.status;
    }
    return undefined;
  }

  #handlerOf(method: string): Handler {
    const next = () => {
      const failing = this.#next(method);
      return failing && 'error' in failing.answer ? { failing, error: failing.answer.error } : undefined;
    };
    return {
      method,
      once: false,
      place: '',
      isFault: true,
      accepts: () => next() !== undefined,
      async answer() {
        const { failing, error } = next()!;
        failing.failed++;
        throw new RpcFailure(error);
      },
      result: wholeResult,
    };
  }
}
